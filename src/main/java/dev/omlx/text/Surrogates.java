package dev.omlx.text;

/** Half characters, which Java strings can hold and UTF-8 cannot. */
final class Surrogates {

    private Surrogates() {}

    /** The text with U+FFFD for every surrogate without its other half. */
    static String replaceLone(String text) {
        int at = firstLone(text, 0);
        if (at < 0) {
            return text;
        }
        StringBuilder sound = new StringBuilder(text);
        while (at >= 0) {
            sound.setCharAt(at, '\uFFFD');
            at = firstLone(text, at + 1);
        }
        return sound.toString();
    }

    private static int firstLone(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return i;
            }
        }
        return -1;
    }
}
