package dev.omlx.model.weights;

import static dev.omlx.model.weights.BlockDecoder.half;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Repacks pieces of Q4_0, Q4_1 or Q8_0 blocks into MLX's affine form. */
final class AffineWorker implements Pieces.Worker {
    private static final int GROUP = SmallBlocks.SIZE;

    private final StoredType type;
    private final StoredType scaleType;
    private final int wordBytes;
    private final byte[] in;
    private final byte[] words;
    private final float[] scales;
    private final float[] biases;
    private final short[] halves;
    private final AffineTarget target;

    AffineWorker(StoredType type, int room, StoredType scaleType, AffineTarget target) {
        this.type = type;
        this.scaleType = scaleType;
        this.wordBytes = type == StoredType.Q8_0 ? GROUP : GROUP / 2;
        this.in = new byte[room * type.blockBytes()];
        this.words = new byte[room * wordBytes];
        this.scales = new float[room];
        this.biases = new float[room];
        this.halves = new short[room];
        this.target = target;
    }

    /** Where the three parts of the result go. */
    record AffineTarget(MemorySegment weight, MemorySegment scales, MemorySegment biases) {}

    @Override
    public MemorySegment input() {
        return MemorySegment.ofArray(in);
    }

    @Override
    public void convert(long first, int count) {
        for (int block = 0; block < count; block++) {
            int at = block * type.blockBytes();
            float d = half(in, at);
            scales[block] = d;
            switch (type) {
                case Q4_0 -> {
                    biases[block] = -8 * d;
                    interleave(at + 2, block * wordBytes);
                }
                case Q4_1 -> {
                    biases[block] = half(in, at + 2);
                    interleave(at + 4, block * wordBytes);
                }
                default -> {
                    biases[block] = -128 * d;
                    makeUnsigned(at + 2, block * wordBytes);
                }
            }
        }
        MemorySegment.copy(words, 0, target.weight, ValueLayout.JAVA_BYTE, first * wordBytes, count * wordBytes);
        store(scales, target.scales, first, count);
        store(biases, target.biases, first, count);
    }

    /** From byte i holding elements i and i + 16 to byte i holding elements 2i and 2i + 1. */
    private void interleave(int from, int to) {
        for (int i = 0; i < GROUP / 4; i++) {
            byte even = in[from + 2 * i];
            byte odd = in[from + 2 * i + 1];
            words[to + i] = (byte) ((even & 0x0F) | (odd << 4));
            words[to + GROUP / 4 + i] = (byte) (((even >> 4) & 0x0F) | (odd & 0xF0));
        }
    }

    /** From signed bytes to bytes 128 higher. */
    private void makeUnsigned(int from, int to) {
        for (int i = 0; i < GROUP; i++) {
            words[to + i] = (byte) (in[from + i] ^ 0x80);
        }
    }

    private void store(float[] values, MemorySegment to, long first, int count) {
        if (scaleType == StoredType.F32) {
            MemorySegment.copy(values, 0, to, ValueLayout.JAVA_FLOAT_UNALIGNED, first * Float.BYTES, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            halves[i] = Float.floatToFloat16(values[i]);
        }
        MemorySegment.copy(halves, 0, to, ValueLayout.JAVA_SHORT_UNALIGNED, first * Short.BYTES, count);
    }
}
