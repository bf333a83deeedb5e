package dev.omlx.model;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Quantization;
import dev.omlx.mlx.Tensor;
import dev.omlx.model.weights.AffineLayout;
import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.HostTensors;
import dev.omlx.model.weights.StoredTensor;
import dev.omlx.model.weights.StoredType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Weights of a GGUF file under the architectures' names. Types that MLX's affine scheme can hold stay packed where that
 * is asked for; all others become float32. Borrows the checkpoint.
 */
final class GgufSource implements WeightSource {
    private final Checkpoint checkpoint;

    GgufSource(Checkpoint checkpoint) {
        this.checkpoint = checkpoint;
    }

    @Override
    public boolean has(String name) {
        return checkpoint.find(GgufNames.of(name)).isPresent();
    }

    /** What its scales are. */
    @Override
    public DType storedType(String path) {
        return DType.FLOAT16;
    }

    @Override
    public Tensor tensor(String name, int... shape) {
        return floats(stored(name, shape));
    }

    @Override
    public Matrix matrix(String path, int rows, int columns, boolean dequantize) {
        StoredTensor stored = stored(path + ".weight", rows, columns);
        Optional<AffineLayout> layout = dequantize ? Optional.empty() : AffineLayout.of(stored.entry(), StoredType.F16);
        return layout.<Matrix>map(affine -> packed(stored, affine)).orElseGet(() -> new Matrix.Dense(floats(stored)));
    }

    private StoredTensor stored(String name, int... shape) {
        return checkpoint.tensor(
                GgufNames.of(name), Arrays.stream(shape).boxed().toList());
    }

    private static Tensor floats(StoredTensor stored) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment values = arena.allocate(stored.entry().elementCount() * Float.BYTES, 64);
            HostTensors.toFloat32(stored, values);
            return Tensor.of(values, DType.FLOAT32, stored.entry().dims());
        }
    }

    private static Matrix.Packed packed(StoredTensor stored, AffineLayout layout) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment weight = arena.allocate(layout.weightBytes(), 64);
            MemorySegment scales = arena.allocate(layout.scaleBytes(), 64);
            MemorySegment zeros = arena.allocate(layout.scaleBytes(), 64);
            HostTensors.toAffine(stored, layout, weight, scales, zeros);
            int[] groups = sizes(layout.scaleShape());
            return new Matrix.Packed(
                    Tensor.of(weight, DType.UINT32, sizes(layout.weightShape())),
                    Tensor.of(scales, DType.FLOAT16, groups),
                    Tensor.of(zeros, DType.FLOAT16, groups),
                    new Quantization(Quantization.Mode.AFFINE, layout.bits(), layout.groupSize()));
        }
    }

    private static int[] sizes(List<Integer> shape) {
        return shape.stream().mapToInt(Integer::intValue).toArray();
    }
}
