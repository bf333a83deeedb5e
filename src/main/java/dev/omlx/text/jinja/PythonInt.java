package dev.omlx.text.jinja;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Python's reading of integers. */
final class PythonInt {
    private PythonInt() {}

    /** {@code int(text, base)}, or null where the text is no such integer. Base 0 goes by the prefix. */
    static @Nullable Int parse(String text, int base) {
        String digits = withoutSeparators(text);
        boolean negative = digits.startsWith("-");
        if (negative || digits.startsWith("+")) {
            digits = digits.substring(1);
        }
        int radix = base;
        if (digits.length() > 2 && digits.charAt(0) == '0') {
            int prefixed = prefixRadix(digits.charAt(1));
            if (prefixed != 0 && (base == 0 || base == prefixed)) {
                radix = prefixed;
                digits = digits.substring(2);
            }
        }
        if (radix == 0) {
            // Without a prefix, only zero may start with a zero.
            boolean zero = digits.chars().allMatch(c -> c == '0');
            if (digits.startsWith("0") && !zero) {
                return null;
            }
            radix = 10;
        }
        return parseDigits(digits, radix, negative);
    }

    private static @Nullable Int parseDigits(String digits, int radix, boolean negative) {
        if (digits.isEmpty() || radix < Character.MIN_RADIX || radix > Character.MAX_RADIX) {
            return null;
        }
        int radixOrNone = radix;
        if (!digits.chars().allMatch(c -> Character.digit(c, radixOrNone) >= 0)) {
            return null;
        }
        if (digits.length() > Limits.INTEGER_BITS) {
            throw JinjaException.limit("The template reads an integer of " + digits.length() + " digits");
        }
        BigInteger value = new BigInteger(digits, radix);
        return Int.of(negative ? value.negate() : value);
    }

    private static int prefixRadix(char letter) {
        return switch (letter) {
            case 'b', 'B' -> 2;
            case 'o', 'O' -> 8;
            case 'x', 'X' -> 16;
            default -> 0;
        };
    }

    /** The text without surrounding space and without {@code _} between digits; any other {@code _} stays and fails. */
    static String withoutSeparators(String text) {
        String trimmed =
                PythonChars.stripTrailing(PythonChars.stripLeading(text, PythonChars::isSpace), PythonChars::isSpace);
        if (trimmed.indexOf('_') < 0) {
            return trimmed;
        }
        StringBuilder out = new StringBuilder(trimmed.length());
        for (int i = 0; i < trimmed.length(); i++) {
            char c = trimmed.charAt(i);
            boolean between = i > 0
                    && i + 1 < trimmed.length()
                    && Character.isLetterOrDigit(trimmed.charAt(i - 1))
                    && Character.isLetterOrDigit(trimmed.charAt(i + 1));
            if (c != '_' || !between) {
                out.append(c);
            }
        }
        return out.toString();
    }
}
