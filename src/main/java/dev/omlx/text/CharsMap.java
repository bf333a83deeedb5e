package dev.omlx.text;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * Checks SentencePiece's precompiled character map: a double-array trie (its length in bytes, then 32-bit units)
 * followed by the replacements, each ended by a zero byte. The native library trusts it and would take the whole
 * process down on a bad one.
 */
final class CharsMap {

    private final int[] units;
    private final byte[] replacements;

    private CharsMap(int[] units, byte[] replacements) {
        this.units = units;
        this.replacements = replacements;
    }

    /** Whether every walk through the map stays inside it. */
    static boolean isSound(byte[] map) {
        if (map.length < 8) {
            return false;
        }
        ByteBuffer buffer = ByteBuffer.wrap(map).order(ByteOrder.LITTLE_ENDIAN);
        long trieBytes = Integer.toUnsignedLong(buffer.getInt());
        if (trieBytes > buffer.remaining() || trieBytes < 4 || trieBytes % 4 != 0) {
            return false;
        }
        int[] units = new int[(int) (trieBytes / 4)];
        for (int i = 0; i < units.length; i++) {
            units[i] = buffer.getInt();
        }
        byte[] replacements = new byte[buffer.remaining()];
        buffer.get(replacements);
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(replacements));
        } catch (CharacterCodingException e) {
            return false;
        }
        return new CharsMap(units, replacements).walksStayInside();
    }

    private boolean walksStayInside() {
        BitSet seen = new BitSet(units.length);
        ArrayDeque<Integer> pending = new ArrayDeque<>();
        pending.add(0);
        seen.set(0);
        while (!pending.isEmpty()) {
            int position = pending.remove();
            int unit = units[position];
            int base = position ^ offset(unit);
            if (base < 0 || (base | 0xFF) >= units.length) {
                return false;
            }
            if (hasLeaf(unit) && !isReplacement(units[base] & Integer.MAX_VALUE)) {
                return false;
            }
            for (int label = 1; label < 256; label++) {
                int child = base ^ label;
                if (label(units[child]) == label && !seen.get(child)) {
                    seen.set(child);
                    pending.add(child);
                }
            }
        }
        return true;
    }

    private boolean isReplacement(int start) {
        return start < replacements.length && (replacements[start] & 0xC0) != 0x80;
    }

    private static int offset(int unit) {
        return (unit >>> 10) << ((unit & (1 << 9)) >>> 6);
    }

    private static boolean hasLeaf(int unit) {
        return (unit >>> 8 & 1) == 1;
    }

    /** The label with the bit that marks a value, so that a value never equals a label. */
    private static int label(int unit) {
        return unit & (Integer.MIN_VALUE | 0xFF);
    }
}
