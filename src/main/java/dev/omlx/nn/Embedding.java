package dev.omlx.nn;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Quantization;
import dev.omlx.mlx.Tensor;
import org.jspecify.annotations.Nullable;

/** The table of token vectors, which a model with tied embeddings also uses as its output layer. */
public sealed interface Embedding {
    /** {@code [T]} token ids → {@code [T, hidden]}. */
    Tensor lookup(Tensor tokens);

    /** The table as an output layer, {@code [.., hidden] → [.., vocabulary]}. */
    Linear asOutput();

    /**
     * One with a row of numbers a token.
     *
     * @param table {@code [vocabulary, hidden]}
     */
    record Dense(Tensor table, Linear asOutput) implements Embedding {
        @Override
        public Tensor lookup(Tensor tokens) {
            return Ops.take(table, tokens, 0);
        }
    }

    /**
     * Fields as in {@link Linear.Quantized}.
     *
     * @param dtype of the vectors
     */
    record Quantized(Tensor table, Tensor scales, @Nullable Tensor zeros, Quantization quantization, DType dtype)
            implements Embedding {
        @Override
        public Tensor lookup(Tensor tokens) {
            Tensor rowZeros = zeros == null ? null : Ops.take(zeros, tokens, 0);
            return Ops.dequantize(
                    Ops.take(table, tokens, 0), Ops.take(scales, tokens, 0), rowZeros, quantization, dtype);
        }

        @Override
        public Linear asOutput() {
            return new Linear.Quantized(table, scales, zeros, quantization, null);
        }
    }
}
