package dev.omlx.model.weights;

import static dev.omlx.model.weights.BlockDecoder.half;

/**
 * Decoders of the 32-element block types. A block is a float16 scale d, for {@code _1} types a float16 minimum m, for
 * 5-bit types 32 fifth bits, and the elements: in 4- and 5-bit types byte i holds element i in its low and element
 * i + 16 in its high half. An element q stands for {@code d * (q - offset)} or {@code d * q + m}.
 */
final class SmallBlocks {
    static final int SIZE = 32;

    private static final int HALF = SIZE / 2;

    private SmallBlocks() {}

    static void q4x0(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q4_0.blockBytes();
            float d = half(in, at);
            int q = at + 2;
            int o = block * SIZE;
            for (int i = 0; i < HALF; i++) {
                out[o + i] = d * ((in[q + i] & 15) - 8);
                out[o + HALF + i] = d * (((in[q + i] >> 4) & 15) - 8);
            }
        }
    }

    static void q4x1(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q4_1.blockBytes();
            float d = half(in, at);
            float m = half(in, at + 2);
            int q = at + 4;
            int o = block * SIZE;
            for (int i = 0; i < HALF; i++) {
                out[o + i] = d * (in[q + i] & 15) + m;
                out[o + HALF + i] = d * ((in[q + i] >> 4) & 15) + m;
            }
        }
    }

    static void q5x0(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q5_0.blockBytes();
            float d = half(in, at);
            int high = word(in, at + 2);
            int q = at + 6;
            int o = block * SIZE;
            for (int i = 0; i < HALF; i++) {
                out[o + i] = d * (fiveBits(in[q + i], high >> i) - 16);
                out[o + HALF + i] = d * (fiveBits(in[q + i] >> 4, high >> (i + HALF)) - 16);
            }
        }
    }

    static void q5x1(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q5_1.blockBytes();
            float d = half(in, at);
            float m = half(in, at + 2);
            int high = word(in, at + 4);
            int q = at + 8;
            int o = block * SIZE;
            for (int i = 0; i < HALF; i++) {
                out[o + i] = d * fiveBits(in[q + i], high >> i) + m;
                out[o + HALF + i] = d * fiveBits(in[q + i] >> 4, high >> (i + HALF)) + m;
            }
        }
    }

    static void q8x0(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q8_0.blockBytes();
            float d = half(in, at);
            int q = at + 2;
            int o = block * SIZE;
            for (int i = 0; i < SIZE; i++) {
                out[o + i] = d * in[q + i];
            }
        }
    }

    /** The low four bits of one, with the lowest bit of the other on top. */
    private static int fiveBits(int low, int high) {
        return (low & 15) | ((high & 1) << 4);
    }

    private static int word(byte[] in, int at) {
        return (in[at] & 0xFF) | ((in[at + 1] & 0xFF) << 8) | ((in[at + 2] & 0xFF) << 16) | (in[at + 3] << 24);
    }
}
