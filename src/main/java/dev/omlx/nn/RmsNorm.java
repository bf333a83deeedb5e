package dev.omlx.nn;

import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.Tensor;

/**
 * Root-mean-square norm over the last dimension (arXiv:1910.07467), {@code x / √(mean(x²) + ε) · w}. Borrows its weight.
 *
 * @param weight {@code [size]}
 */
public record RmsNorm(Tensor weight, float epsilon) {
    public Tensor apply(Tensor x) {
        return FastOps.rmsNorm(x, weight, epsilon);
    }
}
