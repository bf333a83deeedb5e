package dev.omlx.text.jinja;

import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Python's {@code format(value, spec)}. */
final class Formatting {
    private Formatting() {}

    static String format(Value value, String specification, Budget budget) {
        FormatSpec spec = FormatSpec.parse(specification, Comparison.isNumber(value));
        return switch (value) {
            case Str str -> text(str.text(), spec, budget);
            case Bool bool ->
                specification.isEmpty() ? PythonText.str(bool, budget) : integer(bool.toInt(), spec, budget);
            case Int number -> integer(number, spec, budget);
            case Real real -> real(real.value(), spec, budget);
            default -> {
                if (!specification.isEmpty()) {
                    throw JinjaException.runtime("A value of type '" + value.typeName() + "' takes no format");
                }
                yield PythonText.str(value, budget);
            }
        };
    }

    private static String text(String text, FormatSpec spec, Budget budget) {
        if ((spec.type() != 0 && spec.type() != 's') || spec.align() == '=' || spec.sign() != '-') {
            throw unknown(spec, "str");
        }
        String shown = text;
        Integer precision = spec.precision();
        if (precision != null && precision < text.codePointCount(0, text.length())) {
            shown = text.substring(0, text.offsetByCodePoints(0, precision));
        }
        return spec.pad(shown, '<', budget);
    }

    private static String integer(Int number, FormatSpec spec, Budget budget) {
        BigInteger magnitude = number.bigValue().abs();
        String sign = sign(number.signum() < 0, spec);
        return switch (spec.type()) {
            case 0, 'd', 'n' -> digits(sign, magnitude.toString(), "", spec, 3, budget);
            case 'b' -> digits(sign + prefix(spec, "0b"), magnitude.toString(2), "", spec, 4, budget);
            case 'o' -> digits(sign + prefix(spec, "0o"), magnitude.toString(8), "", spec, 4, budget);
            case 'x' -> digits(sign + prefix(spec, "0x"), magnitude.toString(16), "", spec, 4, budget);
            case 'X' ->
                digits(sign + prefix(spec, "0X"), magnitude.toString(16).toUpperCase(Locale.ROOT), "", spec, 4, budget);
            case 'c' -> spec.pad(character(number), '<', budget);
            case 'e', 'E', 'f', 'F', 'g', 'G', '%' -> real(number.toDouble(), spec, budget);
            default -> throw unknown(spec, "int");
        };
    }

    static String character(Int number) {
        if (!Character.isValidCodePoint(number.clamped())) {
            throw JinjaException.runtime("The format 'c' needs a code point, but got " + number);
        }
        return Character.toString(number.clamped());
    }

    private static String prefix(FormatSpec spec, String prefix) {
        return spec.alternate() ? prefix : "";
    }

    private static String sign(boolean negative, FormatSpec spec) {
        return negative ? "-" : spec.sign() == '-' ? "" : String.valueOf(spec.sign());
    }

    static String real(double value, FormatSpec spec, Budget budget) {
        Integer precision = spec.precision();
        budget.text(precision == null ? 0 : precision);
        boolean negative = Double.doubleToRawLongBits(value) < 0 && !Double.isNaN(value);
        double magnitude = Math.abs(value);
        String text = magnitude(magnitude, spec);
        String shown = Character.isUpperCase(spec.type()) ? text.toUpperCase(Locale.ROOT) : text;
        int whole = 0;
        while (whole < shown.length() && Character.isDigit(shown.charAt(whole))) {
            whole++;
        }
        return digits(sign(negative, spec), shown.substring(0, whole), shown.substring(whole), spec, 3, budget);
    }

    private static String magnitude(double magnitude, FormatSpec spec) {
        @Nullable Integer precision = spec.precision();
        int digits = PythonFloat.precisionOr(precision);
        return switch (spec.type()) {
            case 0 ->
                precision == null
                        ? PythonFloat.repr(magnitude)
                        : PythonFloat.general(magnitude, precision, spec.alternate(), true);
            case 'f', 'F' -> PythonFloat.fixed(magnitude, digits);
            case 'e', 'E' -> PythonFloat.exponential(magnitude, digits);
            case 'g', 'G', 'n' -> PythonFloat.general(magnitude, digits, spec.alternate(), false);
            case '%' -> PythonFloat.fixed(magnitude * 100, digits) + "%";
            default -> throw unknown(spec, "float");
        };
    }

    /** Groups and pads: with zeros in front of the digits, those are grouped too. */
    private static String digits(
            String prefix, String whole, String rest, FormatSpec spec, int groupSize, Budget budget) {
        if (spec.grouping() == 0) {
            return spec.pad(prefix, whole + rest, '>', budget);
        }
        String separator = String.valueOf(spec.grouping());
        String digits = whole;
        if (spec.fill() == '0' && spec.align() == '=') {
            int room = spec.width() - prefix.length() - rest.length();
            budget.text(Math.max(0, room));
            // Every groupSize + 1 places hold groupSize digits; a separator never comes first.
            int wanted = room - room / (groupSize + 1);
            digits = "0".repeat(Math.max(0, wanted - whole.length())) + whole;
        }
        StringBuilder grouped = new StringBuilder(digits);
        for (int at = digits.length() - groupSize; at > 0; at -= groupSize) {
            grouped.insert(at, separator);
        }
        return spec.pad(prefix, grouped + rest, '>', budget);
    }

    private static JinjaException unknown(FormatSpec spec, String typeName) {
        return JinjaException.runtime("The format type '" + (spec.type() == 0 ? "" : spec.type())
                + "' or its options don't suit a value of type '" + typeName + "'");
    }
}
