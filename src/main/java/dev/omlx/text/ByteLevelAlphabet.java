package dev.omlx.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The alphabet of byte-level vocabularies: every byte is written as one visible character. Bytes that are visible in
 * Latin-1 stand for themselves, the others are counted up from U+0100 (so a space is {@code Ġ}).
 */
final class ByteLevelAlphabet {

    private static final char[] CHARACTERS = characters();
    private static final short[] BYTES = bytes();

    private ByteLevelAlphabet() {}

    /** The bytes a token stands for; a token with a character outside the alphabet is literal text. */
    static byte[] decode(String token) {
        byte[] decoded = new byte[token.length()];
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            if (c >= BYTES.length || BYTES[c] < 0) {
                return token.getBytes(StandardCharsets.UTF_8);
            }
            decoded[i] = (byte) BYTES[c];
        }
        return decoded;
    }

    private static char[] characters() {
        char[] characters = new char[256];
        char next = 0x100;
        for (int b = 0; b < 256; b++) {
            boolean visible = (b >= '!' && b <= '~') || (b >= 0xA1 && b != 0xAD);
            characters[b] = visible ? (char) b : next++;
        }
        return characters;
    }

    private static short[] bytes() {
        short[] bytes = new short[0x100 + 256];
        Arrays.fill(bytes, (short) -1);
        for (int b = 0; b < 256; b++) {
            bytes[CHARACTERS[b]] = (short) b;
        }
        return bytes;
    }
}
