package dev.omlx.text.jinja;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Python's {@code int}: a long where it fits, else a big integer of at most {@link Limits#INTEGER_BITS} bits. */
final class Int implements Value {
    private static final int CACHED = 1024;
    private static final Int[] CACHE = new Int[CACHED];

    static {
        for (int i = 0; i < CACHED; i++) {
            CACHE[i] = new Int(i, null);
        }
    }

    static final Int ZERO = of(0);

    private final long small;
    private final @Nullable BigInteger big;

    private Int(long small, @Nullable BigInteger big) {
        this.small = small;
        this.big = big;
    }

    static Int of(long value) {
        return value >= 0 && value < CACHED ? CACHE[(int) value] : new Int(value, null);
    }

    static Int of(BigInteger value) {
        if (value.bitLength() < Long.SIZE) {
            return of(value.longValue());
        }
        if (value.bitLength() > Limits.INTEGER_BITS) {
            throw JinjaException.limit("The template makes an integer of more than " + Limits.INTEGER_BITS + " bits");
        }
        return new Int(0, value);
    }

    boolean isLong() {
        return big == null;
    }

    /** The value if {@link #isLong}, else unspecified. */
    long longValue() {
        return small;
    }

    /** The value, or the nearest int: what Python does to an index that is out of every range. */
    int clamped() {
        if (big != null) {
            return big.signum() < 0 ? Integer.MIN_VALUE : Integer.MAX_VALUE;
        }
        return Math.clamp(small, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    BigInteger bigValue() {
        return big != null ? big : BigInteger.valueOf(small);
    }

    int signum() {
        return big != null ? big.signum() : Long.signum(small);
    }

    double toDouble() {
        double value = big != null ? big.doubleValue() : small;
        if (Double.isInfinite(value)) {
            throw JinjaException.runtime("The integer is too large for a float");
        }
        return value;
    }

    int compareTo(Int other) {
        return big == null && other.big == null
                ? Long.compare(small, other.small)
                : bigValue().compareTo(other.bigValue());
    }

    @Override
    public String typeName() {
        return "int";
    }

    @Override
    public String toString() {
        return big != null ? big.toString() : Long.toString(small);
    }
}
