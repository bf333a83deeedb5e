package dev.omlx.text;

/**
 * Decodes UTF-8 that arrives in pieces. Each maximal part of an ill-formed sequence becomes one U+FFFD (Unicode 3.9,
 * "substitution of maximal subparts"); an unfinished character at the end waits for its rest. Not thread-safe.
 */
final class Utf8Stream {

    private static final char REPLACEMENT = '\uFFFD';

    private int codePoint;
    private int missing;
    private int lower = 0x80;
    private int upper = 0xBF;

    void append(byte[] bytes, int from, int to, StringBuilder out) {
        for (int i = from; i < to; i++) {
            append(bytes[i] & 0xFF, out);
        }
    }

    private void append(int b, StringBuilder out) {
        if (missing > 0) {
            if (b >= lower && b <= upper) {
                continueCharacter(b, out);
                return;
            }
            missing = 0;
            out.append(REPLACEMENT);
        }
        startCharacter(b, out);
    }

    private void continueCharacter(int b, StringBuilder out) {
        lower = 0x80;
        upper = 0xBF;
        codePoint = (codePoint << 6) | (b & 0x3F);
        if (--missing == 0) {
            out.appendCodePoint(codePoint);
        }
    }

    private void startCharacter(int b, StringBuilder out) {
        lower = 0x80;
        upper = 0xBF;
        if (b < 0x80) {
            out.append((char) b);
        } else if (b >= 0xC2 && b <= 0xDF) {
            expect(1, b & 0x1F);
        } else if (b >= 0xE0 && b <= 0xEF) {
            // no overlong forms, no surrogates
            lower = b == 0xE0 ? 0xA0 : 0x80;
            upper = b == 0xED ? 0x9F : 0xBF;
            expect(2, b & 0x0F);
        } else if (b >= 0xF0 && b <= 0xF4) {
            lower = b == 0xF0 ? 0x90 : 0x80;
            upper = b == 0xF4 ? 0x8F : 0xBF;
            expect(3, b & 0x07);
        } else {
            out.append(REPLACEMENT);
        }
    }

    private void expect(int continuationBytes, int firstBits) {
        missing = continuationBytes;
        codePoint = firstBits;
    }
}
