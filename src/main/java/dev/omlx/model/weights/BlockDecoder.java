package dev.omlx.model.weights;

import java.util.Optional;

/** Turns quantised blocks of one GGUF type into float32, with the roundings of the format's reference code. */
@FunctionalInterface
interface BlockDecoder {
    /**
     * Decodes {@code count} blocks.
     *
     * @param in holds {@code count} blocks from its beginning
     * @param out takes their elements from its beginning
     */
    void decode(byte[] in, int count, float[] out);

    /** The decoder of a type, if there is one. */
    static Optional<BlockDecoder> of(StoredType type) {
        return Optional.ofNullable(
                switch (type) {
                    case Q4_0 -> SmallBlocks::q4x0;
                    case Q4_1 -> SmallBlocks::q4x1;
                    case Q5_0 -> SmallBlocks::q5x0;
                    case Q5_1 -> SmallBlocks::q5x1;
                    case Q8_0 -> SmallBlocks::q8x0;
                    case Q2_K -> SuperBlocks::q2k;
                    case Q3_K -> SuperBlocks::q3k;
                    case Q4_K -> SuperBlocks::q4k;
                    case Q5_K -> SuperBlocks::q5k;
                    case Q6_K -> SuperBlocks::q6k;
                    default -> null;
                });
    }

    /** The little-endian float16 at that place. */
    static float half(byte[] in, int at) {
        return Float.float16ToFloat((short) ((in[at] & 0xFF) | (in[at + 1] << 8)));
    }
}
