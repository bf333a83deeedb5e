package dev.omlx.model.weights;

import static dev.omlx.model.weights.BlockDecoder.half;

/**
 * Decoders of the 256-element K types. A block holds 8 groups of 32 or 16 groups of 16 elements; each group has a small
 * integer scale (and minimum) that multiplies the block's float16 d (and dmin). An element q stands for
 * {@code d * scale * q - dmin * min}, or {@code d * scale * (q - offset)} in the types without minima.
 */
final class SuperBlocks {
    private static final int SIZE = 256;
    private static final int SCALE_BYTES = 12;

    private SuperBlocks() {}

    /** Layout: 16 bytes scale | min << 4; 64 bytes of 2-bit elements; d; dmin. */
    static void q2k(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q2_K.blockBytes();
            int q = at + 16;
            float d = half(in, at + 80);
            float dmin = half(in, at + 82);
            for (int group = 0; group < 16; group++) {
                float scale = d * (in[at + group] & 15);
                float min = dmin * ((in[at + group] >> 4) & 15);
                int from = q + pairOffset(group);
                int shift = pairShift(group);
                int o = block * SIZE + group * 16;
                for (int i = 0; i < 16; i++) {
                    out[o + i] = scale * ((in[from + i] >> shift) & 3) - min;
                }
            }
        }
    }

    /** Layout: 32 bytes of third bits (0 subtracts 4); 64 bytes of 2-bit elements; 12 bytes of 6-bit scales + 32; d. */
    static void q3k(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q3_K.blockBytes();
            float d = half(in, at + 108);
            for (int group = 0; group < 16; group++) {
                float scale = d * (q3kScale(in, at + 96, group) - 32);
                int high = at + (group & 1) * 16;
                int highBit = group / 2;
                int from = at + 32 + pairOffset(group);
                int shift = pairShift(group);
                int o = block * SIZE + group * 16;
                for (int i = 0; i < 16; i++) {
                    out[o + i] = scale * (((in[from + i] >> shift) & 3) - ((~in[high + i] >> highBit) & 1) * 4);
                }
            }
        }
    }

    /** Layout: d; dmin; 12 bytes of 6-bit scales and minima; 128 bytes of 4-bit elements. */
    static void q4k(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q4_K.blockBytes();
            float d = half(in, at);
            float dmin = half(in, at + 2);
            for (int group = 0; group < 8; group++) {
                float scale = d * scale(in, at + 4, group);
                float min = dmin * min(in, at + 4, group);
                int from = at + 4 + SCALE_BYTES + group / 2 * 32;
                int shift = (group & 1) * 4;
                int o = block * SIZE + group * 32;
                for (int i = 0; i < 32; i++) {
                    out[o + i] = scale * ((in[from + i] >> shift) & 15) - min;
                }
            }
        }
    }

    /** Layout: as Q4_K, with 32 bytes of fifth bits before the 4-bit elements. */
    static void q5k(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q5_K.blockBytes();
            float d = half(in, at);
            float dmin = half(in, at + 2);
            int high = at + 4 + SCALE_BYTES;
            for (int group = 0; group < 8; group++) {
                float scale = d * scale(in, at + 4, group);
                float min = dmin * min(in, at + 4, group);
                int from = high + 32 + group / 2 * 32;
                int shift = (group & 1) * 4;
                int o = block * SIZE + group * 32;
                for (int i = 0; i < 32; i++) {
                    int q = ((in[from + i] >> shift) & 15) | (((in[high + i] >> group) & 1) << 4);
                    out[o + i] = scale * q - min;
                }
            }
        }
    }

    /** Layout: 128 bytes of low halves; 64 bytes of 2-bit high parts; 16 signed scales; d. */
    static void q6k(byte[] in, int count, float[] out) {
        for (int block = 0; block < count; block++) {
            int at = block * StoredType.Q6_K.blockBytes();
            float d = half(in, at + 208);
            for (int group = 0; group < 16; group++) {
                float scale = d * in[at + 192 + group];
                // eight groups share 64 low bytes (first their low, then their high halves) and 32 high bytes
                int low = at + group / 8 * 64 + (group & 3) * 16;
                int lowShift = (group & 4);
                int high = at + 128 + group / 8 * 32 + (group & 1) * 16;
                int highShift = pairShift(group);
                int o = block * SIZE + group * 16;
                for (int i = 0; i < 16; i++) {
                    int q = ((in[low + i] >> lowShift) & 15) | (((in[high + i] >> highShift) & 3) << 4);
                    out[o + i] = scale * (q - 32);
                }
            }
        }
    }

    /** Where the 2-bit elements of a 16-element group begin: eight groups share 32 bytes, two to each bit pair. */
    private static int pairOffset(int group) {
        return group / 8 * 32 + (group & 1) * 16;
    }

    private static int pairShift(int group) {
        return group / 2 % 4 * 2;
    }

    /** The 6-bit scale of one of 16 groups: low halves in bytes 0 to 7, high bit pairs in bytes 8 to 11. */
    private static int q3kScale(byte[] in, int at, int group) {
        int low = (in[at + group % 8] >> (group / 8 * 4)) & 15;
        int high = (in[at + 8 + group % 4] >> (group / 4 * 2)) & 3;
        return low | (high << 4);
    }

    /** The 6-bit scale of one of 8 groups: whole in the first four, the others' high bits on top of those. */
    private static int scale(byte[] in, int at, int group) {
        return group < 4 ? in[at + group] & 63 : (in[at + group + 4] & 15) | ((in[at + group - 4] >> 2) & 48);
    }

    /** The 6-bit minimum of one of 8 groups, packed as the scales are, four bytes on. */
    private static int min(byte[] in, int at, int group) {
        return group < 4 ? in[at + group + 4] & 63 : ((in[at + group + 4] >> 4) & 15) | ((in[at + group] >> 2) & 48);
    }
}
