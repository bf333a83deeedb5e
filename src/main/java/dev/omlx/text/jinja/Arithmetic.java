package dev.omlx.text.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** Python's arithmetic operators, on numbers, strings and sequences. */
final class Arithmetic {
    /** Digits that make a quotient of integers correct to the last bit of a double. */
    private static final MathContext QUOTIENT = new MathContext(60);

    private Arithmetic() {}

    /** {@code left + right}. */
    static Value add(Value left, Value right, Budget budget) {
        if (left instanceof Str a && right instanceof Str b) {
            return concat(a, b, budget);
        }
        if (left instanceof Sequence a && right instanceof Sequence b && a.getClass() == b.getClass()) {
            budget.list((long) a.items().size() + b.items().size());
            List<Value> items = new ArrayList<>(a.items().size() + b.items().size());
            items.addAll(a.items());
            items.addAll(b.items());
            return a.like(items);
        }
        requireNumbers(left, "+", right);
        if (left instanceof Real || right instanceof Real) {
            return new Real(toDouble(left) + toDouble(right));
        }
        Int a = toInt(left);
        Int b = toInt(right);
        if (a.isLong() && b.isLong()) {
            long sum = a.longValue() + b.longValue();
            boolean overflows = ((a.longValue() ^ sum) & (b.longValue() ^ sum)) < 0;
            if (!overflows) {
                return Int.of(sum);
            }
        }
        return Int.of(a.bigValue().add(b.bigValue()));
    }

    private static Str concat(Str left, Str right, Budget budget) {
        String a = left.text();
        String b = right.text();
        boolean markup = left.markup() || right.markup();
        if (markup) {
            a = left.markup() ? a : Html.escape(a);
            b = right.markup() ? b : Html.escape(b);
        }
        budget.text((long) a.length() + b.length());
        return markup ? Str.markup(a + b) : Str.of(a + b);
    }

    /** {@code left - right}. */
    static Value subtract(Value left, Value right) {
        requireNumbers(left, "-", right);
        if (left instanceof Real || right instanceof Real) {
            return new Real(toDouble(left) - toDouble(right));
        }
        Int a = toInt(left);
        Int b = toInt(right);
        if (a.isLong() && b.isLong()) {
            long difference = a.longValue() - b.longValue();
            boolean overflows = ((a.longValue() ^ b.longValue()) & (a.longValue() ^ difference)) < 0;
            if (!overflows) {
                return Int.of(difference);
            }
        }
        return Int.of(a.bigValue().subtract(b.bigValue()));
    }

    /** {@code left * right}. */
    static Value multiply(Value left, Value right, Budget budget) {
        if (isInteger(right) && (left instanceof Str || left instanceof Sequence)) {
            return repeat(left, toInt(right), budget);
        }
        if (isInteger(left) && (right instanceof Str || right instanceof Sequence)) {
            return repeat(right, toInt(left), budget);
        }
        requireNumbers(left, "*", right);
        if (left instanceof Real || right instanceof Real) {
            return new Real(toDouble(left) * toDouble(right));
        }
        Int a = toInt(left);
        Int b = toInt(right);
        if (a.isLong() && b.isLong()) {
            long high = Math.multiplyHigh(a.longValue(), b.longValue());
            long low = a.longValue() * b.longValue();
            boolean fits = high == low >> (Long.SIZE - 1);
            if (fits) {
                return Int.of(low);
            }
        }
        return Int.of(a.bigValue().multiply(b.bigValue()));
    }

    private static Value repeat(Value value, Int times, Budget budget) {
        int count = Math.max(0, times.clamped());
        if (value instanceof Str str) {
            budget.text((long) str.text().length() * count);
            return str.like(str.text().isEmpty() ? "" : str.text().repeat(count));
        }
        Sequence sequence = (Sequence) value;
        List<Value> items = sequence.items();
        budget.list((long) items.size() * count);
        List<Value> repeated = new ArrayList<>(items.size() * count);
        for (int i = 0; i < count && !items.isEmpty(); i++) {
            repeated.addAll(items);
        }
        return sequence.like(repeated);
    }

    /** {@code left / right}, always a float. */
    static Value divide(Value left, Value right) {
        requireNumbers(left, "/", right);
        requireNonZero(right);
        if (left instanceof Real || right instanceof Real) {
            return new Real(toDouble(left) / toDouble(right));
        }
        Int a = toInt(left);
        Int b = toInt(right);
        if (isExact(a) && isExact(b)) {
            return new Real((double) a.longValue() / b.longValue());
        }
        double quotient = new BigDecimal(a.bigValue())
                .divide(new BigDecimal(b.bigValue()), QUOTIENT)
                .doubleValue();
        if (Double.isInfinite(quotient)) {
            throw JinjaException.runtime("The quotient of the integers is too large for a float");
        }
        return new Real(quotient);
    }

    private static boolean isExact(Int value) {
        return value.isLong() && Math.abs(value.longValue()) <= 1L << 53 && value.longValue() != Long.MIN_VALUE;
    }

    /** {@code left // right}: towards negative infinity. */
    static Value floorDivide(Value left, Value right) {
        requireNumbers(left, "//", right);
        requireNonZero(right);
        if (left instanceof Real || right instanceof Real) {
            return new Real(floorDivide(toDouble(left), toDouble(right)));
        }
        Int a = toInt(left);
        Int b = toInt(right);
        if (a.isLong() && b.isLong() && b.longValue() != -1) {
            return Int.of(Math.floorDiv(a.longValue(), b.longValue()));
        }
        BigInteger[] parts = a.bigValue().divideAndRemainder(b.bigValue());
        boolean down = parts[1].signum() != 0 && parts[1].signum() != b.signum();
        return Int.of(down ? parts[0].subtract(BigInteger.ONE) : parts[0]);
    }

    private static double floorDivide(double a, double b) {
        double quotient = (a - remainder(a, b)) / b;
        if (quotient == 0) {
            return Math.copySign(0.0, a / b);
        }
        double floor = Math.floor(quotient);
        return quotient - floor > 0.5 ? floor + 1 : floor;
    }

    /** {@code left % right} on numbers: the sign of the right operand. */
    static Value remainder(Value left, Value right) {
        requireNumbers(left, "%", right);
        requireNonZero(right);
        if (left instanceof Real || right instanceof Real) {
            return new Real(remainder(toDouble(left), toDouble(right)));
        }
        Int a = toInt(left);
        Int b = toInt(right);
        if (a.isLong() && b.isLong()) {
            return Int.of(Math.floorMod(a.longValue(), b.longValue()));
        }
        BigInteger rest = a.bigValue().remainder(b.bigValue());
        return Int.of(rest.signum() != 0 && rest.signum() != b.signum() ? rest.add(b.bigValue()) : rest);
    }

    private static double remainder(double a, double b) {
        double rest = a % b;
        if (rest == 0) {
            return Math.copySign(0.0, b);
        }
        return (b < 0) != (rest < 0) ? rest + b : rest;
    }

    /** {@code left ** right}. */
    static Value power(Value left, Value right) {
        requireNumbers(left, "**", right);
        if (isInteger(left) && isInteger(right) && toInt(right).signum() >= 0) {
            return power(toInt(left), toInt(right));
        }
        double base = toDouble(left);
        double exponent = toDouble(right);
        if (base == 0 && exponent < 0) {
            throw JinjaException.runtime("Zero can't be raised to a negative power");
        }
        double result = Math.pow(base, exponent);
        if (Double.isNaN(result) && !Double.isNaN(base) && !Double.isNaN(exponent)) {
            throw JinjaException.runtime("A negative number can't be raised to a fraction");
        }
        if (Double.isInfinite(result) && Double.isFinite(base) && Double.isFinite(exponent)) {
            throw JinjaException.runtime("The power is too large for a float");
        }
        return new Real(result);
    }

    private static Int power(Int base, Int exponent) {
        BigInteger value = base.bigValue();
        boolean grows = value.bitLength() > 1;
        long bits = (long) Math.max(0, value.bitLength() - 1) * exponent.clamped();
        if (grows && bits > Limits.INTEGER_BITS) {
            throw JinjaException.limit("The template makes an integer of more than " + Limits.INTEGER_BITS + " bits");
        }
        if (grows || exponent.clamped() < 2) {
            return Int.of(value.pow(exponent.clamped()));
        }
        // Only 0, 1 and -1 (and -2, whose bit length is 1, below) are left.
        if (value.equals(BigInteger.TWO.negate())) {
            if (exponent.clamped() > Limits.INTEGER_BITS) {
                throw JinjaException.limit("The template makes an integer that is too large");
            }
            return Int.of(value.pow(exponent.clamped()));
        }
        boolean odd = exponent.bigValue().testBit(0);
        return value.signum() < 0 && !odd ? Int.of(1) : base;
    }

    /** {@code -value}. */
    static Value negate(Value value) {
        return switch (value) {
            case Real real -> new Real(-real.value());
            case Bool bool -> Int.of(-bool.number());
            case Int number ->
                number.isLong() && number.longValue() != Long.MIN_VALUE
                        ? Int.of(-number.longValue())
                        : Int.of(number.bigValue().negate());
            default -> throw unsupported("-", value);
        };
    }

    /** {@code +value}. */
    static Value plus(Value value) {
        return switch (value) {
            case Real real -> real;
            case Bool bool -> bool.toInt();
            case Int number -> number;
            default -> throw unsupported("+", value);
        };
    }

    static boolean isInteger(Value value) {
        return value instanceof Int || value instanceof Bool;
    }

    /** The value of an integer or boolean. */
    static Int toInt(Value value) {
        return switch (value) {
            case Int number -> number;
            case Bool bool -> bool.toInt();
            default -> throw new IllegalArgumentException(value.typeName());
        };
    }

    /** The value of a number. */
    static double toDouble(Value value) {
        return value instanceof Real real ? real.value() : toInt(value).toDouble();
    }

    private static void requireNumbers(Value left, String operator, Value right) {
        if (Comparison.isNumber(left) && Comparison.isNumber(right)) {
            return;
        }
        if (left instanceof Undefined undefined) {
            throw undefined.failure();
        }
        if (right instanceof Undefined undefined) {
            throw undefined.failure();
        }
        throw JinjaException.runtime(
                "'" + operator + "' doesn't work between '" + left.typeName() + "' and '" + right.typeName() + "'");
    }

    private static void requireNonZero(Value divisor) {
        if (!Truth.of(divisor)) {
            throw JinjaException.runtime("Division by zero");
        }
    }

    private static JinjaException unsupported(String operator, Value value) {
        return value instanceof Undefined undefined
                ? undefined.failure()
                : JinjaException.runtime("'" + operator + "' doesn't work on '" + value.typeName() + "'");
    }
}
