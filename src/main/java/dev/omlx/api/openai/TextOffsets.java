package dev.omlx.api.openai;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Counts the characters (code points) of a text whose UTF-8 comes in pieces that may end within a character. */
final class TextOffsets {
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] unfinished = {};
    private int characters;

    /** Goes on behind these bytes; says at which character they begin. */
    int pass(byte[] bytes) {
        int start = characters;
        ByteBuffer in = ByteBuffer.allocate(unfinished.length + bytes.length)
                .put(unfinished)
                .put(bytes)
                .flip();
        CharBuffer out = CharBuffer.allocate(in.remaining());
        decoder.decode(in, out, false);
        out.flip();
        characters += Character.codePointCount(out, 0, out.length());
        unfinished = new byte[in.remaining()];
        in.get(unfinished);
        return start;
    }
}
