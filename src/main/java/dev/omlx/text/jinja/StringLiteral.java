package dev.omlx.text.jinja;

/** Resolves the escapes of a string literal as Python does; an unknown escape stays as it is written. */
final class StringLiteral {
    private final String literal;
    private final int line;
    private final StringBuilder out;
    private int at;

    private StringLiteral(String literal, int line) {
        this.literal = literal;
        this.line = line;
        this.out = new StringBuilder(literal.length());
    }

    /** The value of a literal without its quotes. */
    static String unescape(String literal, int line) {
        if (literal.indexOf('\\') < 0) {
            return literal;
        }
        return new StringLiteral(literal, line).run();
    }

    private String run() {
        while (at < literal.length()) {
            char c = literal.charAt(at++);
            if (c == '\\' && at < literal.length()) {
                escape(literal.charAt(at++));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private void escape(char c) {
        switch (c) {
            case '\n' -> {}
            case '\\', '\'', '"' -> out.append(c);
            case 'a' -> out.append('\u0007');
            case 'b' -> out.append('\b');
            case 'f' -> out.append('\f');
            case 'n' -> out.append('\n');
            case 'r' -> out.append('\r');
            case 't' -> out.append('\t');
            case 'v' -> out.append('\u000b');
            case 'x' -> hex(2);
            case 'u' -> hex(4);
            case 'U' -> hex(8);
            case 'N' -> named();
            case '0', '1', '2', '3', '4', '5', '6', '7' -> octal();
            default -> out.append('\\').append(c);
        }
    }

    private void hex(int digits) {
        int end = at + digits;
        if (end > literal.length()) {
            throw invalid();
        }
        long value = 0;
        for (; at < end; at++) {
            int digit = literal.charAt(at) < 0x80 ? Character.digit(literal.charAt(at), 16) : -1;
            if (digit < 0) {
                throw invalid();
            }
            value = value << 4 | digit;
        }
        if (value > Character.MAX_CODE_POINT) {
            throw invalid();
        }
        out.appendCodePoint((int) value);
    }

    private void octal() {
        int start = at - 1;
        while (at < literal.length() && at < start + 3 && literal.charAt(at) >= '0' && literal.charAt(at) <= '7') {
            at++;
        }
        out.append((char) Integer.parseInt(literal.substring(start, at), 8));
    }

    private void named() {
        int close = literal.indexOf('}', at);
        if (at >= literal.length() || literal.charAt(at) != '{' || close < 0) {
            throw invalid();
        }
        try {
            out.appendCodePoint(Character.codePointOf(literal.substring(at + 1, close)));
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
        at = close + 1;
    }

    private JinjaException invalid() {
        return JinjaException.syntax("The string has an escape that is not valid", line);
    }
}
