package dev.omlx.nn;

import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Rotary position embedding (arXiv:2104.09864).
 *
 * @param dimensions how many of a head's dimensions rotate
 * @param interleaved rotate neighbouring pairs instead of halves
 * @param base of the frequencies; not used where {@code frequencies} are given
 * @param scale multiplies positions
 * @param frequencies {@code [dimensions/2]} wavelengths that replace those of the base
 */
public record Rope(
        int dimensions,
        boolean interleaved,
        float base,
        float scale,
        @Nullable Tensor frequencies) {
    /**
     * @param x {@code [T, heads, 1, headDim]}
     * @param positions {@code [T]} int32
     */
    public Tensor apply(Tensor x, Tensor positions) {
        return FastOps.rope(x, dimensions, interleaved, base, scale, positions, frequencies);
    }
}
