package dev.omlx.model.weights;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Stored tensors as MLX tensors, which belong to the open scope. Bytes are copied out of the file first, so that a file
 * that is truncated meanwhile gives a {@link CheckpointException} and not a crash.
 */
public final class StoredTensors {
    private static final Map<StoredType, DType> DTYPES = new EnumMap<>(Map.of(
            StoredType.F32, DType.FLOAT32,
            StoredType.F16, DType.FLOAT16,
            StoredType.BF16, DType.BFLOAT16,
            StoredType.U32, DType.UINT32,
            StoredType.U8, DType.UINT8,
            StoredType.I32, DType.INT32));

    /** For MLX's kernels as for the JIT compiler's loops. */
    private static final long ALIGNMENT = 64;

    private StoredTensors() {}

    /** The types that {@link #asStored} takes. */
    public static Set<StoredType> plainTypes() {
        return Set.copyOf(DTYPES.keySet());
    }

    /**
     * A tensor in its stored type.
     *
     * @throws CheckpointException {@link CheckpointException.Kind#WRONG_TYPE} if MLX has no such type
     */
    public static Tensor asStored(StoredTensor stored) {
        DType dtype = DTYPES.get(stored.type());
        if (dtype == null) {
            throw CheckpointException.wrongType(stored.file().path(), stored.name(), DTYPES.keySet(), stored.type());
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment bytes = allocate(arena, stored.entry().byteLength());
            stored.copyTo(bytes);
            return Tensor.of(bytes, dtype, stored.entry().dims());
        }
    }

    /** A tensor as float32; see {@link HostTensors#toFloat32}. */
    public static Tensor asFloats(StoredTensor stored) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment values = allocate(arena, stored.entry().elementCount() * Float.BYTES);
            HostTensors.toFloat32(stored, values);
            return Tensor.of(values, DType.FLOAT32, stored.entry().dims());
        }
    }

    /** A quantised tensor in MLX's affine form, with float16 scales. */
    public static Affine asAffine(StoredTensor stored, AffineLayout layout) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment weight = allocate(arena, layout.weightBytes());
            MemorySegment scales = allocate(arena, layout.scaleBytes());
            MemorySegment zeros = allocate(arena, layout.scaleBytes());
            HostTensors.toAffine(stored, layout, weight, scales, zeros);
            int[] groups = sizes(layout.scaleShape());
            return new Affine(
                    Tensor.of(weight, DType.UINT32, sizes(layout.weightShape())),
                    Tensor.of(scales, DType.FLOAT16, groups),
                    Tensor.of(zeros, DType.FLOAT16, groups));
        }
    }

    /** An affine tensor's parts. */
    public record Affine(Tensor weight, Tensor scales, Tensor zeros) {}

    private static MemorySegment allocate(Arena arena, long bytes) {
        return arena.allocate(Math.max(1, bytes), ALIGNMENT).asSlice(0, bytes);
    }

    private static int[] sizes(List<Integer> shape) {
        return shape.stream().mapToInt(Integer::intValue).toArray();
    }
}
