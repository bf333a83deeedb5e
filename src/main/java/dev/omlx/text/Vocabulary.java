package dev.omlx.text;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one model: what each is called and which bytes it adds to the text, packed into one array. Immutable.
 */
final class Vocabulary {

    private final @Nullable String[] texts;
    private final TokenDecoder decoder;
    private final BitSet special = new BitSet();
    private final BitSet added = new BitSet();
    private final int[] offsets;
    private final byte[] bytes;

    /** @param texts indexed by id, null where there is no token */
    Vocabulary(@Nullable String[] texts, List<AddedToken> addedTokens, TokenDecoder decoder) {
        this.texts = texts;
        this.decoder = decoder;
        for (AddedToken token : addedTokens) {
            added.set(token.id());
            special.set(token.id(), token.special());
        }
        offsets = new int[texts.length + 1];
        byte[] packed = new byte[Math.max(16, texts.length * 8)];
        int end = 0;
        for (int id = 0; id < texts.length; id++) {
            String text = texts[id];
            if (text != null) {
                byte[] piece = decoder.decode(text, added.get(id));
                if (end + piece.length > packed.length) {
                    packed = Arrays.copyOf(packed, Math.max(end + piece.length, packed.length * 2));
                }
                System.arraycopy(piece, 0, packed, end, piece.length);
                end += piece.length;
            }
            offsets[id + 1] = end;
        }
        bytes = Arrays.copyOf(packed, end);
    }

    int size() {
        return texts.length;
    }

    boolean contains(int id) {
        return id >= 0 && id < texts.length && texts[id] != null;
    }

    boolean isSpecial(int id) {
        return id >= 0 && special.get(id);
    }

    String text(int id) {
        String text = id >= 0 && id < texts.length ? texts[id] : null;
        return text == null ? "" : text;
    }

    byte[] bytesOf(int id) {
        return contains(id) ? Arrays.copyOfRange(bytes, offsets[id], offsets[id + 1]) : new byte[0];
    }

    OptionalInt idOf(String text) {
        // added tokens first: they are what is usually asked for, and what wins where a text occurs twice
        for (int id = added.nextSetBit(0); id >= 0; id = added.nextSetBit(id + 1)) {
            if (text.equals(texts[id])) {
                return OptionalInt.of(id);
            }
        }
        int id = Arrays.asList(texts).indexOf(text);
        return id < 0 ? OptionalInt.empty() : OptionalInt.of(id);
    }

    int leadingSpaces() {
        return decoder.leadingSpaces();
    }

    /** Appends what the token adds to the text. */
    void append(int id, boolean first, int skippedSpaces, Utf8Stream utf8, StringBuilder out) {
        if (first && decoder.firstDiffers()) {
            byte[] piece = decoder.decodeFirst(text(id), added.get(id));
            utf8.append(piece, 0, piece.length, out);
        } else {
            utf8.append(bytes, offsets[id] + skippedSpaces, offsets[id + 1], out);
        }
    }

    /** How many of the token's bytes are leading spaces, at most {@code limit}. */
    int spacesAtStart(int id, int limit) {
        int count = 0;
        int end = Math.min(offsets[id + 1] - offsets[id], limit);
        while (count < end && bytes[offsets[id] + count] == ' ') {
            count++;
        }
        return count;
    }

    int length(int id) {
        return offsets[id + 1] - offsets[id];
    }
}
