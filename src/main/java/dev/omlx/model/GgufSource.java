package dev.omlx.model;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Quantization;
import dev.omlx.mlx.Tensor;
import dev.omlx.model.weights.AffineLayout;
import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.StoredTensor;
import dev.omlx.model.weights.StoredType;
import dev.omlx.model.weights.TensorReader;
import java.util.Optional;

/**
 * Weights of a GGUF file under the architectures' names. Types that MLX's affine scheme can hold stay packed where that
 * is asked for; all others become float32. Borrows checkpoint and reader.
 */
final class GgufSource implements WeightSource {
    /** Files of older converters hold the frequencies of RoPE too, which follow from the metadata. */
    private static final String FREQUENCIES = ".attn_rot_embd.weight";

    private final Checkpoint checkpoint;
    private final UnreadTensors unread;
    private final TensorReader reader;

    GgufSource(Checkpoint checkpoint, TensorReader reader) {
        this.checkpoint = checkpoint;
        this.unread = new UnreadTensors(checkpoint);
        this.reader = reader;
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
        return reader.asFloats(stored(name, shape));
    }

    @Override
    public Matrix matrix(String path, int rows, int columns, boolean dequantize) {
        StoredTensor stored = stored(path + ".weight", rows, columns);
        Optional<AffineLayout> layout = dequantize ? Optional.empty() : AffineLayout.of(stored.entry(), StoredType.F16);
        return layout.<Matrix>map(affine -> packed(stored, affine))
                .orElseGet(() -> new Matrix.Dense(reader.asFloats(stored)));
    }

    @Override
    public void requireAllRead() {
        unread.requireNone(name -> name.endsWith(FREQUENCIES));
    }

    private StoredTensor stored(String name, int... shape) {
        return unread.read(GgufNames.of(name), shape);
    }

    private Matrix.Packed packed(StoredTensor stored, AffineLayout layout) {
        TensorReader.Affine affine = reader.asAffine(stored, layout);
        Quantization packing = new Quantization(Quantization.Mode.AFFINE, layout.bits(), layout.groupSize());
        return new Matrix.Packed(affine.weight(), affine.scales(), affine.zeros(), packing);
    }
}
