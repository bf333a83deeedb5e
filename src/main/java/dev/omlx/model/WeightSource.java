package dev.omlx.model;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Quantization;
import dev.omlx.mlx.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint's tensors by the names that architectures use, as tensors of the open scope. Every method throws a
 * {@link dev.omlx.model.weights.CheckpointException} if the tensor is missing or has another shape than asked for.
 */
interface WeightSource {
    boolean has(String name);

    /** The floating-point type that the module {@code path} is stored in. */
    DType storedType(String path);

    /** A tensor in its stored type. */
    Tensor tensor(String name, int... shape);

    /** The matrix {@code path.weight}; {@code dequantize} asks for a dense one whatever is stored. */
    Matrix matrix(String path, int rows, int columns, boolean dequantize);

    /**
     * Requires that the model has asked for every tensor but those that make no difference to any model.
     *
     * @throws dev.omlx.model.weights.CheckpointException if there are others
     */
    void requireAllRead();

    /** A matrix as stored. */
    sealed interface Matrix {
        /**
         * One that can be computed with as it is.
         *
         * @param weight {@code [rows, columns]}
         */
        record Dense(Tensor weight) implements Matrix {}

        /** Fields as in {@link dev.omlx.nn.Linear.Quantized}. */
        record Packed(
                Tensor weight, Tensor scales, @Nullable Tensor zeros, Quantization quantization) implements Matrix {}
    }
}
