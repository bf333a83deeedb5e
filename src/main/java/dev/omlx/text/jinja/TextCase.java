package dev.omlx.text.jinja;

import java.util.Locale;

/** Python's changes and tests of letter case. */
final class TextCase {
    private TextCase() {}

    static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    static String fold(String text) {
        // Upper case first unites what lower case alone keeps apart, such as the sharp s with ss.
        return lower(upper(text)).replace('\u03c2', '\u03c3');
    }

    static String capitalize(String text) {
        if (text.isEmpty()) {
            return text;
        }
        int first = text.codePointAt(0);
        return titleCase(first)
                + lower(text).substring(lower(Character.toString(first)).length());
    }

    private static String titleCase(int c) {
        if (Character.toTitleCase(c) != Character.toUpperCase(c)) {
            return Character.toString(Character.toTitleCase(c));
        }
        String upper = upper(Character.toString(c));
        int first = upper.codePointAt(0);
        return Character.toString(first) + lower(upper.substring(Character.charCount(first)));
    }

    /** {@code str.title}: every letter after something that is not a letter is capitalised. */
    static String title(String text) {
        String lower = lower(text);
        StringBuilder out = new StringBuilder(text.length());
        boolean[] inWord = {false};
        // Lower casing in place keeps the context that the final sigma needs, unless it changes the length.
        String rest = lower.length() == text.length() ? lower : text;
        rest.codePoints().forEach(c -> {
            out.append(inWord[0] ? Character.toString(Character.toLowerCase(c)) : titleCase(c));
            inWord[0] = isCased(c);
        });
        return out.toString();
    }

    static String swap(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            String letter = Character.toString(c);
            out.append(Character.isUpperCase(c) ? lower(letter) : upper(letter));
        });
        return out.toString();
    }

    private static boolean isCased(int c) {
        return Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
    }

    static boolean isUpper(String text) {
        return text.codePoints().anyMatch(Character::isUpperCase)
                && text.codePoints().noneMatch(c -> Character.isLowerCase(c) || Character.isTitleCase(c));
    }

    static boolean isLower(String text) {
        return text.codePoints().anyMatch(Character::isLowerCase)
                && text.codePoints().noneMatch(c -> Character.isUpperCase(c) || Character.isTitleCase(c));
    }

    static boolean isTitle(String text) {
        boolean cased = false;
        boolean inWord = false;
        for (int c : text.codePoints().toArray()) {
            boolean capital = Character.isUpperCase(c) || Character.isTitleCase(c);
            if ((capital && inWord) || (Character.isLowerCase(c) && !inWord)) {
                return false;
            }
            inWord = isCased(c);
            cased |= inWord;
        }
        return cased;
    }
}
