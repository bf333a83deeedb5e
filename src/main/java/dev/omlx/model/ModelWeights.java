package dev.omlx.model;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.nn.Embedding;
import dev.omlx.nn.Linear;
import dev.omlx.nn.RmsNorm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The weights of one model: takes them out of the checkpoint in the precision asked for, and owns them. The blocks that
 * are built of them only borrow. Engine thread only.
 */
final class ModelWeights implements AutoCloseable {
    static final String EMBEDDING = "model.embed_tokens";
    static final String OUTPUT = "lm_head";

    private final WeightSource source;
    private final boolean dequantize;
    private final DType dtype;
    private final List<Tensor> owned = new ArrayList<>();

    /** Where the precision leaves the type open, the embedding's stands for all. */
    ModelWeights(WeightSource source, Precision precision) {
        this.source = source;
        this.dequantize = precision.dequantize();
        this.dtype = dtype(source, precision);
    }

    /** What a model of these weights computes in. */
    static DType dtype(WeightSource source, Precision precision) {
        return precision.dtype() == null ? source.storedType(EMBEDDING) : precision.dtype();
    }

    /** What the model computes in. */
    DType dtype() {
        return dtype;
    }

    /** A vector or other plain tensor. */
    Tensor tensor(String name, int... shape) {
        try (TensorScope scope = TensorScope.open()) {
            return load(source.tensor(name, shape));
        }
    }

    /** The projection {@code path}, {@code [.., columns] → [.., rows]}. */
    Linear linear(String path, int rows, int columns, boolean withBias) {
        Tensor bias = withBias ? tensor(path + ".bias", rows) : null;
        try (TensorScope scope = TensorScope.open()) {
            return switch (source.matrix(path, rows, columns, dequantize)) {
                case WeightSource.Matrix.Dense dense -> dense(load(dense.weight()), bias);
                case WeightSource.Matrix.Packed packed ->
                    new Linear.Quantized(
                            own(packed.weight()), load(packed.scales()), zeros(packed), packed.quantization(), bias);
            };
        }
    }

    Embedding embedding(String path, int rows, int columns) {
        try (TensorScope scope = TensorScope.open()) {
            return switch (source.matrix(path, rows, columns, dequantize)) {
                case WeightSource.Matrix.Dense dense -> {
                    Tensor table = load(dense.weight());
                    yield new Embedding.Dense(table, dense(table, null));
                }
                case WeightSource.Matrix.Packed packed ->
                    new Embedding.Quantized(
                            own(packed.weight()), load(packed.scales()), zeros(packed), packed.quantization(), dtype);
            };
        }
    }

    RmsNorm norm(String path, int size, float epsilon) {
        try (TensorScope scope = TensorScope.open()) {
            return new RmsNorm(own(Ops.astype(source.tensor(path + ".weight", size), dtype)), epsilon);
        }
    }

    /** Takes over a tensor that was made for the model. */
    Tensor own(Tensor tensor) {
        Tensor kept = tensor.eval().keep();
        owned.add(kept);
        return kept;
    }

    private Linear dense(Tensor weight, @Nullable Tensor bias) {
        return new Linear.Dense(own(Ops.transpose(weight, 1, 0)), bias);
    }

    private Tensor load(Tensor stored) {
        return own(stored.dtype().isFloating() ? Ops.astype(stored, dtype) : stored);
    }

    private @Nullable Tensor zeros(WeightSource.Matrix.Packed packed) {
        return packed.zeros() == null ? null : load(packed.zeros());
    }

    @Override
    public void close() {
        owned.forEach(Tensor::close);
        owned.clear();
    }
}
