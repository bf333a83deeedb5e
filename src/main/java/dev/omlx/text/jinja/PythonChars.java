package dev.omlx.text.jinja;

import java.util.function.IntPredicate;

/** Python's classes of code points. */
final class PythonChars {
    private PythonChars() {}

    /** White space as {@code str.isspace}, {@code str.strip} and {@code \s} see it. */
    static boolean isSpace(int c) {
        if (c < 0x80) {
            return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f);
        }
        return c == 0x85 || Character.isSpaceChar(c);
    }

    /** What {@code str.splitlines} splits at. */
    static boolean isLineBreak(int c) {
        return (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
    }

    /** What {@code repr} shows as it is. */
    static boolean isPrintable(int c) {
        if (c < 0x7f) {
            return c >= ' ';
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }

    static boolean isDecimal(int c) {
        return Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER;
    }

    /** Decimals and the digits of other forms, such as superscripts. */
    @SuppressWarnings("CharacterGetNumericValue") // letters, which it takes for digits too, are not of that category
    static boolean isDigit(int c) {
        if (isDecimal(c)) {
            return true;
        }
        int value = Character.getNumericValue(c);
        return Character.getType(c) == Character.OTHER_NUMBER && value >= 0 && value <= 9;
    }

    static boolean isNumeric(int c) {
        return switch (Character.getType(c)) {
            case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
            default -> false;
        };
    }

    static boolean isAlpha(int c) {
        return Character.isLetter(c);
    }

    static boolean isAlphanumeric(int c) {
        return isAlpha(c) || isNumeric(c);
    }

    /** Part of a name in a template, or of a word. */
    static boolean isWordPart(int c) {
        return c == '_' || isAlphanumeric(c);
    }

    static boolean isIdentifierPart(int c) {
        return c == '_' || (Character.isUnicodeIdentifierPart(c) && !Character.isIdentifierIgnorable(c));
    }

    static boolean isIdentifierStart(int c) {
        return c == '_' || Character.isUnicodeIdentifierStart(c);
    }

    /** Where the white space at the start of the range ends. */
    static int skipSpaces(String text, int from) {
        int at = from;
        while (at < text.length() && isSpace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** The text without leading code points of a class. */
    static String stripLeading(String text, IntPredicate stripped) {
        int start = 0;
        while (start < text.length()) {
            int c = text.codePointAt(start);
            if (!stripped.test(c)) {
                break;
            }
            start += Character.charCount(c);
        }
        return text.substring(start);
    }

    /** The text without trailing code points of a class. */
    static String stripTrailing(String text, IntPredicate stripped) {
        int end = text.length();
        while (end > 0) {
            int c = text.codePointBefore(end);
            if (!stripped.test(c)) {
                break;
            }
            end -= Character.charCount(c);
        }
        return text.substring(0, end);
    }
}
