package dev.omlx.text.jinja;

/**
 * Finds where a number literal ends.
 *
 * @param start the position of its first digit
 */
record NumberScanner(String source, int start) {

    /** The end of a float, which has a fraction or an exponent, or -1 if it is an integer. */
    int floatEnd() {
        int whole = digits(start, 10);
        int fraction = at(whole) == '.' ? digits(whole + 1, 10) : -1;
        int mantissa = fraction > whole + 1 ? fraction : whole;
        int exponent = -1;
        if (at(mantissa) == 'e' || at(mantissa) == 'E') {
            int sign = at(mantissa + 1) == '+' || at(mantissa + 1) == '-' ? 1 : 0;
            int from = mantissa + 1 + sign;
            exponent = digits(from, 10) > from ? digits(from, 10) : -1;
        }
        if (exponent > 0) {
            return exponent;
        }
        return mantissa > whole ? mantissa : -1;
    }

    /** The end of an integer, decimal or with one of the prefixes {@code 0b}, {@code 0o} and {@code 0x}. */
    int integerEnd() {
        if (at(start) != '0') {
            return digits(start, 10);
        }
        int radix = switch (at(start + 1)) {
            case 'b', 'B' -> 2;
            case 'o', 'O' -> 8;
            case 'x', 'X' -> 16;
            default -> 0;
        };
        if (radix > 0) {
            int from = at(start + 2) == '_' ? start + 3 : start + 2;
            int end = digits(from, radix);
            return end > from ? end : start + 1;
        }
        // A decimal starts with another digit, so only zeros can follow.
        int end = start + 1;
        while (at(end) == '0' || (at(end) == '_' && at(end + 1) == '0')) {
            end++;
        }
        return end;
    }

    /** The end of a run of digits that single {@code _} may separate. */
    private int digits(int from, int radix) {
        int end = from;
        while (isDigit(at(end), radix) || (end > from && at(end) == '_' && isDigit(at(end + 1), radix))) {
            end++;
        }
        return end;
    }

    private static boolean isDigit(char c, int radix) {
        return c < 0x80 && Character.digit(c, radix) >= 0;
    }

    private char at(int index) {
        return index < source.length() ? source.charAt(index) : 0;
    }
}
