package dev.omlx.nn;

import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;

/** Root-mean-square norm over the last dimension (arXiv:1910.07467), {@code x / √(mean(x²) + ε) · w}. Borrows its weights. */
public sealed interface RmsNorm {
    Tensor apply(Tensor x);

    /**
     * By MLX's own kernel.
     *
     * @param weight {@code [size]}
     */
    record Fused(Tensor weight, float epsilon) implements RmsNorm {
        @Override
        public Tensor apply(Tensor x) {
            return FastOps.rmsNorm(x, weight, epsilon);
        }
    }

    /**
     * As {@code x / √(Σx² + nε) · w√n}, for the CPU. There MLX makes the norm of eleven operations, and starting one takes
     * longer than a row's arithmetic; these are seven for a single row, which has the constants' shapes.
     *
     * @param weight {@code [1, size]}, times √size
     * @param epsilon {@code [1, 1]}, times size
     */
    record Unfused(Tensor weight, Tensor epsilon) implements RmsNorm {
        @Override
        public Tensor apply(Tensor x) {
            Tensor squares = Ops.sum(Ops.multiply(x, x));
            return Ops.multiply(Ops.multiply(x, Ops.rsqrt(Ops.add(squares, epsilon))), weight);
        }
    }
}
