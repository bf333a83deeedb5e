package dev.omlx.parse;

/** Looks for marks in text that is not all there yet. */
final class Marks {
    /** How much of a mark stands at a place. */
    enum Match {
        NONE,
        /** As much of it as there is text. */
        PART,
        WHOLE
    }

    private Marks() {}

    static Match match(CharSequence text, int at, String mark) {
        int length = Math.min(mark.length(), text.length() - at);
        for (int i = 0; i < length; i++) {
            if (text.charAt(at + i) != mark.charAt(i)) {
                return Match.NONE;
            }
        }
        return length == mark.length() ? Match.WHOLE : Match.PART;
    }

    static boolean endsWith(CharSequence text, String end) {
        int from = text.length() - end.length();
        return from >= 0 && match(text, from, end) == Match.WHOLE;
    }
}
