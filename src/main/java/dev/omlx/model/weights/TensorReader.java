package dev.omlx.model.weights;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Makes MLX tensors out of stored ones; they belong to the open scope. Bytes are copied out of the file first, so that a
 * file that is truncated meanwhile gives a {@link CheckpointException} and not a crash. One buffer serves all copies, as
 * touching new memory takes longer than copying. Used by one thread at a time; closed when the model is loaded.
 */
public final class TensorReader implements AutoCloseable {
    private static final Map<StoredType, DType> DTYPES = new EnumMap<>(Map.of(
            StoredType.F32, DType.FLOAT32,
            StoredType.F16, DType.FLOAT16,
            StoredType.BF16, DType.BFLOAT16,
            StoredType.U32, DType.UINT32,
            StoredType.U8, DType.UINT8,
            StoredType.I32, DType.INT32));

    /** For MLX's kernels as for the JIT compiler's loops. */
    private static final long ALIGNMENT = 64;

    private final Arena arena = Arena.ofShared();
    private MemorySegment buffer = MemorySegment.NULL;

    /**
     * A tensor in its stored type.
     *
     * @throws CheckpointException {@link CheckpointException.Kind#WRONG_TYPE} if MLX has no such type
     */
    public Tensor asStored(StoredTensor stored) {
        DType dtype = DTYPES.get(stored.type());
        if (dtype == null) {
            throw CheckpointException.wrongType(stored.file().path(), stored.name(), DTYPES.keySet(), stored.type());
        }
        MemorySegment bytes = buffer(stored.entry().byteLength());
        stored.copyTo(bytes);
        return Tensor.of(bytes, dtype, stored.entry().dims());
    }

    /** A tensor as float32; see {@link HostTensors#toFloat32}. */
    public Tensor asFloats(StoredTensor stored) {
        MemorySegment values = buffer(stored.entry().elementCount() * Float.BYTES);
        HostTensors.toFloat32(stored, values);
        return Tensor.of(values, DType.FLOAT32, stored.entry().dims());
    }

    /** A quantised tensor in MLX's affine form, with float16 scales. */
    public Affine asAffine(StoredTensor stored, AffineLayout layout) {
        long scaleStart = Math.ceilDiv(layout.weightBytes(), ALIGNMENT) * ALIGNMENT;
        long zeroStart = scaleStart + Math.ceilDiv(layout.scaleBytes(), ALIGNMENT) * ALIGNMENT;
        MemorySegment all = buffer(zeroStart + layout.scaleBytes());
        MemorySegment weight = all.asSlice(0, layout.weightBytes());
        MemorySegment scales = all.asSlice(scaleStart, layout.scaleBytes());
        MemorySegment zeros = all.asSlice(zeroStart, layout.scaleBytes());
        HostTensors.toAffine(stored, layout, weight, scales, zeros);
        int[] groups = sizes(layout.scaleShape());
        return new Affine(
                Tensor.of(weight, DType.UINT32, sizes(layout.weightShape())),
                Tensor.of(scales, DType.FLOAT16, groups),
                Tensor.of(zeros, DType.FLOAT16, groups));
    }

    /** An affine tensor's parts. */
    public record Affine(Tensor weight, Tensor scales, Tensor zeros) {}

    private MemorySegment buffer(long bytes) {
        if (buffer.byteSize() < bytes) {
            // at least double, so that what outgrown buffers hold until the end stays below the last one's size
            buffer = arena.allocate(Math.max(bytes, 2 * buffer.byteSize()), ALIGNMENT);
        }
        return buffer.asSlice(0, bytes);
    }

    @Override
    public void close() {
        arena.close();
    }

    private static int[] sizes(List<Integer> shape) {
        return shape.stream().mapToInt(Integer::intValue).toArray();
    }
}
