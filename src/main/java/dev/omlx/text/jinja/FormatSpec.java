package dev.omlx.text.jinja;

import org.jspecify.annotations.Nullable;

/**
 * A format specification of Python, {@code [[fill]align][sign][z][#][0][width][grouping][.precision][type]}.
 *
 * @param fill the code point to pad with
 * @param align one of {@code < > ^ =}, or 0 for the type's own
 * @param sign one of {@code + - } and space
 * @param grouping one of {@code , _}, or 0 for none
 * @param type the presentation, or 0 for the value's own
 */
record FormatSpec(
        int fill,
        char align,
        char sign,
        boolean alternate,
        int width,
        char grouping,
        @Nullable Integer precision,
        char type) {

    private static final int LARGEST = 1_000_000;

    /**
     * Reads a specification.
     *
     * @param number whether it is for a number, whose zeros go between the sign and the digits
     */
    static FormatSpec parse(String text, boolean number) {
        return new Reader(text, number).read();
    }

    /** Pads a text that has no sign to its width. */
    String pad(String text, char fallbackAlign, Budget budget) {
        return pad("", text, fallbackAlign, budget);
    }

    /** Pads a text to its width; what stands in front of digits stays there under the alignment {@code =}. */
    String pad(String prefix, String text, char fallbackAlign, Budget budget) {
        String whole = prefix + text;
        int missing = width - whole.codePointCount(0, whole.length());
        budget.text((long) whole.length() + Math.max(0, missing));
        if (missing <= 0) {
            return whole;
        }
        String padding = Character.toString(fill);
        return switch (align == 0 ? fallbackAlign : align) {
            case '<' -> whole + padding.repeat(missing);
            case '^' -> padding.repeat(missing / 2) + whole + padding.repeat(missing - missing / 2);
            case '=' -> prefix + padding.repeat(missing) + text;
            default -> padding.repeat(missing) + whole;
        };
    }

    /** Reads a specification from left to right. */
    private static final class Reader {
        private final String text;
        private final boolean number;
        private int at;
        private int fill = ' ';
        private boolean filled;
        private char align;

        Reader(String text, boolean number) {
            this.text = text;
            this.number = number;
        }

        FormatSpec read() {
            readAlignment();
            char sign = next("+- ");
            next("z");
            boolean alternate = next("#") != 0;
            if (!filled && next("0") != 0) {
                fill = '0';
                align = align == 0 && number ? '=' : align;
            }
            int width = number(0);
            char grouping = next(",_");
            Integer precision = next(".") == 0 ? null : Integer.valueOf(number(-1));
            char type = at < text.length() ? text.charAt(at++) : 0;
            if (at < text.length() || (precision != null && precision < 0)) {
                throw JinjaException.runtime("The format '" + text + "' is not valid");
            }
            return new FormatSpec(fill, align, sign == 0 ? '-' : sign, alternate, width, grouping, precision, type);
        }

        private void readAlignment() {
            if (text.isEmpty()) {
                return;
            }
            int first = text.codePointAt(0);
            int afterFirst = Character.charCount(first);
            filled = afterFirst < text.length() && isAlign(text.charAt(afterFirst));
            if (filled) {
                fill = first;
                align = text.charAt(afterFirst);
                at = afterFirst + 1;
            } else if (isAlign(text.charAt(0))) {
                align = text.charAt(0);
                at = 1;
            }
        }

        private static boolean isAlign(char c) {
            return "<>=^".indexOf(c) >= 0;
        }

        private char next(String choices) {
            return at < text.length() && choices.indexOf(text.charAt(at)) >= 0 ? text.charAt(at++) : 0;
        }

        private int number(int fallback) {
            int start = at;
            int value = 0;
            while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                value = value * 10 + text.charAt(at++) - '0';
                if (value > LARGEST) {
                    throw JinjaException.limit("The format '" + text + "' asks for too many characters");
                }
            }
            return at == start ? fallback : value;
        }
    }
}
