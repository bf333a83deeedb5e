package dev.omlx.nn;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.Ops;
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
    /** The rotation of a step's rows, which all layers share. */
    interface Rotation {
        /**
         * Rotates queries or keys.
         *
         * @param x {@code [T, heads, 1, headDim]}
         */
        Tensor apply(Tensor x);
    }

    /**
     * A GPU works out sines and cosines as fast as it reads the numbers to be rotated. On the CPU they take longer than all
     * the rest of it, and are worked out once a step.
     *
     * @param positions {@code [T]} int32
     * @param dtype of what is rotated
     */
    Rotation at(Tensor positions, DType dtype) {
        if (!FastOps.hasOwnKernels(dtype)) {
            return x -> FastOps.rope(x, dimensions, interleaved, base, scale, positions, frequencies);
        }
        Tensor column = Ops.reshape(Ops.multiply(Ops.astype(positions, DType.FLOAT32), scale), positions.dim(0), 1);
        Tensor angles = Ops.divide(column, wavelengths());
        Tensor cosines = Ops.cos(angles);
        Tensor sines = Ops.sin(angles);
        return x -> FastOps.turn(x, cosines, sines, interleaved);
    }

    private Tensor wavelengths() {
        if (frequencies != null) {
            return frequencies;
        }
        float[] wavelengths = new float[dimensions / 2];
        for (int i = 0; i < wavelengths.length; i++) {
            wavelengths[i] = (float) Math.pow(base, 2.0 * i / dimensions);
        }
        return Tensor.of(wavelengths, wavelengths.length);
    }
}
