package dev.omlx.text.jinja;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Python's printed forms of floats, and its reading of them. */
final class PythonFloat {
    /** From this decimal exponent on, and below -4, {@code repr} writes an exponent. */
    private static final int REPR_EXPONENT = 16;

    private static final int DEFAULT_PRECISION = 6;

    private PythonFloat() {}

    /** {@code repr}: the shortest digits that read back as the same float. */
    static String repr(double value) {
        if (!Double.isFinite(value)) {
            return nonFinite(value);
        }
        String sign = isNegative(value) ? "-" : "";
        if (value == 0) {
            return sign + "0.0";
        }
        BigDecimal shortest = shortest(Math.abs(value));
        String digits = shortest.unscaledValue().toString();
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent < REPR_EXPONENT) {
            String plain = shortest.toPlainString();
            return sign + (plain.indexOf('.') < 0 ? plain + ".0" : plain);
        }
        return sign + scientific(digits, exponent);
    }

    /** Java's shortest form keeps two digits at least; the smallest floats need one only. */
    private static BigDecimal shortest(double magnitude) {
        BigDecimal value = new BigDecimal(Double.toString(magnitude)).stripTrailingZeros();
        if (value.precision() == 2) {
            BigDecimal shorter = value.round(new MathContext(1, RoundingMode.HALF_EVEN));
            if (shorter.doubleValue() == magnitude) {
                return shorter.stripTrailingZeros();
            }
        }
        return value;
    }

    /** Format type {@code f}. */
    static String fixed(double value, int precision) {
        checkDigits(precision);
        if (!Double.isFinite(value)) {
            return nonFinite(value);
        }
        String sign = isNegative(value) ? "-" : "";
        return sign
                + new BigDecimal(Math.abs(value))
                        .setScale(precision, RoundingMode.HALF_EVEN)
                        .toPlainString();
    }

    /** Format type {@code e}. */
    static String exponential(double value, int precision) {
        checkDigits(precision);
        if (!Double.isFinite(value)) {
            return nonFinite(value);
        }
        String sign = isNegative(value) ? "-" : "";
        BigDecimal rounded = round(value, precision + 1);
        String digits = digits(rounded, precision + 1);
        return sign + scientific(digits, exponent(rounded));
    }

    /**
     * Format type {@code g}, and the type-less format with a precision.
     *
     * @param keepZeros whether trailing zeros stay
     * @param keepPoint whether a number without fraction gets {@code .0}, as the type-less format does
     */
    static String general(double value, int wanted, boolean keepZeros, boolean keepPoint) {
        checkDigits(wanted);
        if (!Double.isFinite(value)) {
            return nonFinite(value);
        }
        String sign = isNegative(value) ? "-" : "";
        int precision = wanted == 0 ? 1 : wanted;
        BigDecimal rounded = round(value, precision);
        int exponent = exponent(rounded);
        String digits = digits(rounded, precision);
        int limit = keepPoint ? precision - 1 : precision;
        if (exponent < -4 || exponent >= limit) {
            return sign + scientific(keepZeros ? digits : stripZeros(digits), exponent);
        }
        BigDecimal fixed = rounded.setScale(Math.max(0, precision - 1 - exponent), RoundingMode.UNNECESSARY);
        if (!keepZeros) {
            BigDecimal stripped = fixed.stripTrailingZeros();
            fixed = stripped.scale() < 0 ? stripped.setScale(0, RoundingMode.UNNECESSARY) : stripped;
        }
        String plain = fixed.toPlainString();
        return sign + (keepPoint && plain.indexOf('.') < 0 ? plain + ".0" : plain);
    }

    private static void checkDigits(int digits) {
        if (digits > Limits.FLOAT_DIGITS) {
            throw JinjaException.limit(
                    "The template formats a float with more than " + Limits.FLOAT_DIGITS + " digits");
        }
    }

    static int precisionOr(@Nullable Integer precision) {
        return precision == null ? DEFAULT_PRECISION : precision;
    }

    private static BigDecimal round(double value, int significant) {
        return new BigDecimal(Math.abs(value)).round(new MathContext(significant, RoundingMode.HALF_EVEN));
    }

    private static int exponent(BigDecimal value) {
        return value.signum() == 0 ? 0 : value.precision() - value.scale() - 1;
    }

    private static String digits(BigDecimal value, int count) {
        String digits = value.unscaledValue().toString();
        return digits.length() >= count ? digits.substring(0, count) : digits + "0".repeat(count - digits.length());
    }

    private static String stripZeros(String digits) {
        int end = digits.length();
        while (end > 1 && digits.charAt(end - 1) == '0') {
            end--;
        }
        return digits.substring(0, end);
    }

    private static String scientific(String digits, int exponent) {
        StringBuilder out = new StringBuilder(digits);
        if (digits.length() > 1) {
            out.insert(1, '.');
        }
        out.append('e').append(exponent < 0 ? '-' : '+');
        int magnitude = Math.abs(exponent);
        return out.append(magnitude < 10 ? "0" : "").append(magnitude).toString();
    }

    private static String nonFinite(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        return value > 0 ? "inf" : "-inf";
    }

    private static boolean isNegative(double value) {
        return Double.doubleToRawLongBits(value) < 0;
    }

    /** {@code round(value, precision)}: exact, ties to even. */
    static double round(double value, long precision) {
        // Beyond these, rounding changes nothing or leaves nothing, whatever the value.
        if (!Double.isFinite(value) || precision > 330) {
            return value;
        }
        if (precision < -310) {
            return Math.copySign(0.0, value);
        }
        double rounded = new BigDecimal(value)
                .setScale((int) precision, RoundingMode.HALF_EVEN)
                .doubleValue();
        return rounded == 0 ? Math.copySign(0.0, value) : rounded;
    }

    /** {@code float(text)}, or null where the text is not a number. */
    static @Nullable Double parse(String text) {
        String trimmed = PythonInt.withoutSeparators(text);
        if (trimmed.isEmpty()) {
            return null;
        }
        char last = trimmed.charAt(trimmed.length() - 1);
        if (Character.isDigit(last) || last == '.') {
            return trimmed.chars().allMatch(c -> "0123456789+-.eE".indexOf(c) >= 0) ? parseDecimal(trimmed) : null;
        }
        boolean negative = trimmed.startsWith("-");
        String magnitude = negative || trimmed.startsWith("+") ? trimmed.substring(1) : trimmed;
        return switch (magnitude.toLowerCase(Locale.ROOT)) {
            case "inf", "infinity" -> negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            case "nan" -> Double.NaN;
            default -> null;
        };
    }

    private static @Nullable Double parseDecimal(String text) {
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** {@code int(value)}: towards zero. */
    static BigInteger truncate(double value) {
        if (!Double.isFinite(value)) {
            throw JinjaException.runtime("The float " + repr(value) + " can't be made an integer");
        }
        return new BigDecimal(value).toBigInteger();
    }
}
