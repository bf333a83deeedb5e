package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/**
 * Conversions of stored tensors into plain host memory, on several threads. A target is native or heap memory that any
 * thread may write (a shared, automatic or global arena), of exactly the size that the result needs; it is written from
 * its beginning in row-major order, in the machine's byte order. Safe to call from any thread.
 */
public final class HostTensors {
    private static final Thread OTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

    private HostTensors() {}

    /** Whether {@link #toFloat32} takes tensors of that type. */
    public static boolean canConvert(StoredType type) {
        return switch (type) {
            case F32, F16, BF16 -> true;
            default -> BlockDecoder.of(type).isPresent();
        };
    }

    /**
     * Converts to float32: F32, F16, BF16 and quantised blocks.
     *
     * @param target four bytes an element
     * @throws CheckpointException {@link Kind#UNSUPPORTED_TYPE} for other types, {@link Kind#CHANGED} if the file was
     *     truncated meanwhile; the target is then partly written
     */
    public static void toFloat32(StoredTensor tensor, MemorySegment target) {
        requireTarget(target, Math.multiplyExact(tensor.entry().elementCount(), Float.BYTES));
        Pieces pieces = new Pieces(tensor);
        int room = pieces.blocksPerPiece();
        switch (tensor.type()) {
            case F32 -> tensor.copyTo(target);
            case F16 -> pieces.forEach(() -> new HalfWorker(Widening.FLOAT16, room, target));
            case BF16 -> pieces.forEach(() -> new HalfWorker(Widening.BFLOAT16, room, target));
            default -> pieces.forEach(decoding(tensor, room, target));
        }
    }

    /**
     * Repacks a quantised tensor into MLX's affine form without loss: Q4_0, Q4_1 and Q8_0.
     *
     * @param layout from {@link AffineLayout#of} for this tensor
     * @param weight {@link AffineLayout#weightBytes()} bytes
     * @param scales {@link AffineLayout#scaleBytes()} bytes
     * @param biases as many
     * @throws CheckpointException {@link Kind#CHANGED} if the file was truncated meanwhile
     */
    public static void toAffine(
            StoredTensor tensor,
            AffineLayout layout,
            MemorySegment weight,
            MemorySegment scales,
            MemorySegment biases) {
        if (!AffineLayout.of(tensor.entry(), layout.scaleType())
                .filter(layout::equals)
                .isPresent()) {
            throw new IllegalArgumentException(layout + " is not a layout of " + tensor.entry());
        }
        requireTarget(weight, layout.weightBytes());
        requireTarget(scales, layout.scaleBytes());
        requireTarget(biases, layout.scaleBytes());
        Pieces pieces = new Pieces(tensor);
        int room = pieces.blocksPerPiece();
        pieces.forEach(() -> new AffineWorker(
                tensor.type(), room, layout.scaleType(), new AffineWorker.AffineTarget(weight, scales, biases)));
    }

    private static Supplier<Pieces.Worker> decoding(StoredTensor tensor, int room, MemorySegment target) {
        BlockDecoder decoder = BlockDecoder.of(tensor.type())
                .orElseThrow(() -> CheckpointException.ofTensor(
                        Kind.UNSUPPORTED_TYPE,
                        tensor.file().path(),
                        tensor.name(),
                        "type " + tensor.type() + " cannot be converted to float32"));
        return () -> new BlockWorker(tensor.type(), decoder, room, target);
    }

    private static void requireTarget(MemorySegment target, long bytes) {
        if (target.byteSize() != bytes) {
            throw new IllegalArgumentException("the target has " + target.byteSize() + " bytes, not " + bytes);
        }
        if (!target.isAccessibleBy(OTHER_THREAD)) {
            throw new IllegalArgumentException("the target can be written by one thread only");
        }
    }

    /** Blocks to float32. */
    private static final class BlockWorker implements Pieces.Worker {
        private final BlockDecoder decoder;
        private final int blockSize;
        private final byte[] in;
        private final float[] out;
        private final MemorySegment target;

        BlockWorker(StoredType type, BlockDecoder decoder, int room, MemorySegment target) {
            this.decoder = decoder;
            this.blockSize = type.blockSize();
            this.in = new byte[room * type.blockBytes()];
            this.out = new float[room * blockSize];
            this.target = target;
        }

        @Override
        public MemorySegment input() {
            return MemorySegment.ofArray(in);
        }

        @Override
        public void convert(long first, int count) {
            decoder.decode(in, count, out);
            MemorySegment.copy(
                    out,
                    0,
                    target,
                    ValueLayout.JAVA_FLOAT_UNALIGNED,
                    first * blockSize * Float.BYTES,
                    count * blockSize);
        }
    }

    /** What a number of 16 bits is as one of 32. */
    private interface Widening {
        Widening FLOAT16 = Float::float16ToFloat;
        /** The upper half of a float32. */
        Widening BFLOAT16 = bits -> Float.intBitsToFloat(bits << 16);

        float widen(short bits);
    }

    /** Float16 or bfloat16 to float32. */
    private static final class HalfWorker implements Pieces.Worker {
        private final Widening widening;
        private final short[] in;
        private final float[] out;
        private final MemorySegment target;

        HalfWorker(Widening widening, int room, MemorySegment target) {
            this.widening = widening;
            this.in = new short[room];
            this.out = new float[room];
            this.target = target;
        }

        @Override
        public MemorySegment input() {
            return MemorySegment.ofArray(in);
        }

        @Override
        public void convert(long first, int count) {
            for (int i = 0; i < count; i++) {
                out[i] = widening.widen(in[i]);
            }
            MemorySegment.copy(out, 0, target, ValueLayout.JAVA_FLOAT_UNALIGNED, first * Float.BYTES, count);
        }
    }
}
