package dev.omlx.text.jinja;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Python's {@code format % values}. */
final class PrintfFormat {
    private static final int LARGEST = 1_000_000;

    private final Str format;
    private final String text;
    private final Value values;
    private final List<Value> positional;
    private final Budget budget;
    private final TextOutput out;
    private int at;
    private int used;

    private PrintfFormat(Str format, Value values, Budget budget) {
        this.format = format;
        this.text = format.text();
        this.values = values;
        this.positional = values instanceof Sequence.Tuple tuple ? tuple.items() : List.of(values);
        this.budget = budget;
        this.out = new TextOutput(budget);
    }

    /** One conversion: {@code %[(key)][flags][width][.precision]type}. */
    private record Conversion(@Nullable Value keyed, String flags, int width, int precision, char type) {
        boolean has(char flag) {
            return flags.indexOf(flag) >= 0;
        }
    }

    static Str format(Str format, Value values, Budget budget) {
        return format.like(new PrintfFormat(format, values, budget).run());
    }

    private String run() {
        while (at < text.length()) {
            int percent = text.indexOf('%', at);
            if (percent < 0) {
                out.append(text.substring(at));
                break;
            }
            out.append(text.substring(at, percent));
            at = percent + 1;
            convert();
        }
        boolean mapping = values instanceof Dict
                || values instanceof Sequence.Array
                || values instanceof Range
                || values instanceof Undefined;
        if (used < positional.size() && !mapping) {
            throw JinjaException.runtime("The format takes " + used + " values, but got " + positional.size());
        }
        return out.toString();
    }

    private void convert() {
        Value keyed = key();
        int flagsEnd = at;
        while (flagsEnd < text.length() && "#0- +".indexOf(text.charAt(flagsEnd)) >= 0) {
            flagsEnd++;
        }
        String flags = text.substring(at, flagsEnd);
        at = flagsEnd;
        int width = number();
        int precision = -1;
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            precision = Math.max(0, number());
        }
        if (width < 0) {
            width = -width;
            flags += "-";
        }
        while (at < text.length() && "hlL".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (at == text.length()) {
            throw JinjaException.runtime("The format ends in the middle of a conversion");
        }
        write(new Conversion(keyed, flags, width, precision, text.charAt(at++)));
    }

    private @Nullable Value key() {
        if (at >= text.length() || text.charAt(at) != '(') {
            return null;
        }
        int start = at + 1;
        int depth = 1;
        int end = start;
        while (end < text.length() && depth > 0) {
            char c = text.charAt(end++);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        if (depth > 0 || !(values instanceof Dict dict)) {
            throw JinjaException.runtime("The format names a key, which needs a dict of values");
        }
        String key = text.substring(start, end - 1);
        Value value = dict.get(key);
        if (value == null) {
            throw JinjaException.runtime("The values of the format have no key '" + key + "'");
        }
        at = end;
        used = positional.size();
        return value;
    }

    /** A width or precision: digits, or {@code *} for the next value. */
    private int number() {
        if (at < text.length() && text.charAt(at) == '*') {
            at++;
            Value value = next();
            if (!Arithmetic.isInteger(value)) {
                throw JinjaException.runtime("'*' in a format needs an integer");
            }
            return checked(Arithmetic.toInt(value).clamped());
        }
        int value = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            value = checked(value * 10 + text.charAt(at++) - '0');
        }
        return value;
    }

    private static int checked(int width) {
        if (Math.abs((long) width) > LARGEST) {
            throw JinjaException.limit("The format asks for too many characters");
        }
        return width;
    }

    private Value next() {
        if (used >= positional.size()) {
            throw JinjaException.runtime("The format takes more than the " + positional.size() + " given values");
        }
        return positional.get(used++);
    }

    private void write(Conversion conversion) {
        if (conversion.type() == '%') {
            out.append('%');
            return;
        }
        Value keyed = conversion.keyed();
        Value value = keyed != null ? keyed : next();
        switch (conversion.type()) {
            case 's' -> writeText(escaped(value), conversion);
            case 'r' -> writeText(PythonText.repr(value, budget), conversion);
            case 'a' -> writeText(ascii(PythonText.repr(value, budget)), conversion);
            case 'c' -> writeText(character(value), conversion);
            case 'd', 'i', 'u' -> writeInteger(truncated(value, conversion), 10, "", conversion);
            case 'o' -> writeInteger(whole(value, conversion), 8, "0o", conversion);
            case 'x' -> writeInteger(whole(value, conversion), 16, "0x", conversion);
            case 'X' -> writeInteger(whole(value, conversion), 16, "0X", conversion);
            case 'e', 'E', 'f', 'F', 'g', 'G' -> writeReal(real(value, conversion), conversion);
            default -> throw JinjaException.runtime("The format type '" + conversion.type() + "' is unknown");
        }
    }

    private String escaped(Value value) {
        return format.markup() ? Html.escape(value, budget) : PythonText.str(value, budget);
    }

    /** A {@code repr} with everything but ASCII escaped. */
    static String ascii(String repr) {
        StringBuilder out = new StringBuilder(repr.length());
        repr.codePoints().forEach(c -> {
            if (c < 0x80) {
                out.append((char) c);
            } else {
                String quoted = PythonText.quote(Character.toString(c), true);
                out.append(quoted, 1, quoted.length() - 1);
            }
        });
        return out.toString();
    }

    private static String character(Value value) {
        if (value instanceof Str str && str.length() == 1) {
            return str.text();
        }
        if (Arithmetic.isInteger(value)) {
            return Formatting.character(Arithmetic.toInt(value));
        }
        throw JinjaException.runtime("The format type 'c' needs an integer or one character");
    }

    private void writeText(String value, Conversion conversion) {
        String shown = value;
        if (conversion.precision() >= 0 && conversion.precision() < value.codePointCount(0, value.length())) {
            shown = value.substring(0, value.offsetByCodePoints(0, conversion.precision()));
        }
        pad("", shown, conversion, false);
    }

    private static BigInteger truncated(Value value, Conversion conversion) {
        return value instanceof Real real ? PythonFloat.truncate(real.value()) : whole(value, conversion);
    }

    private static BigInteger whole(Value value, Conversion conversion) {
        if (!Arithmetic.isInteger(value)) {
            throw unsuitable(value, conversion);
        }
        return Arithmetic.toInt(value).bigValue();
    }

    private static double real(Value value, Conversion conversion) {
        if (!Comparison.isNumber(value)) {
            throw unsuitable(value, conversion);
        }
        return Arithmetic.toDouble(value);
    }

    private static JinjaException unsuitable(Value value, Conversion conversion) {
        return value instanceof Undefined undefined
                ? undefined.failure()
                : JinjaException.runtime("The format type '" + conversion.type()
                        + "' needs a number, but got a value of type '" + value.typeName() + "'");
    }

    private void writeInteger(BigInteger value, int radix, String prefix, Conversion conversion) {
        String digits = value.abs().toString(radix);
        if (conversion.precision() > digits.length()) {
            digits = "0".repeat(conversion.precision() - digits.length()) + digits;
        }
        String shown = conversion.type() == 'X' ? digits.toUpperCase(Locale.ROOT) : digits;
        String sign = sign(value.signum() < 0, conversion) + (conversion.has('#') ? prefix : "");
        pad(sign, shown, conversion, true);
    }

    private void writeReal(double value, Conversion conversion) {
        int precision = PythonFloat.precisionOr(conversion.precision() < 0 ? null : conversion.precision());
        double magnitude = Math.abs(value);
        String shown = switch (Character.toLowerCase(conversion.type())) {
            case 'e' -> PythonFloat.exponential(magnitude, precision);
            case 'f' -> PythonFloat.fixed(magnitude, precision);
            default -> PythonFloat.general(magnitude, precision, conversion.has('#'), false);
        };
        boolean negative = Double.doubleToRawLongBits(value) < 0 && !Double.isNaN(value);
        String cased = Character.isUpperCase(conversion.type()) ? shown.toUpperCase(Locale.ROOT) : shown;
        pad(sign(negative, conversion), cased, conversion, Double.isFinite(value));
    }

    private static String sign(boolean negative, Conversion conversion) {
        return negative ? "-" : conversion.has('+') ? "+" : conversion.has(' ') ? " " : "";
    }

    private void pad(String prefix, String shown, Conversion conversion, boolean zeros) {
        int length = prefix.length() + shown.codePointCount(0, shown.length());
        int missing = Math.max(0, conversion.width() - length);
        budget.text(missing);
        if (conversion.has('-')) {
            out.append(prefix).append(shown).append(" ".repeat(missing));
        } else if (conversion.has('0') && zeros) {
            out.append(prefix).append("0".repeat(missing)).append(shown);
        } else {
            out.append(" ".repeat(missing)).append(prefix).append(shown);
        }
    }
}
