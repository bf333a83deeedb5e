package dev.omlx.nn;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.Mlx;
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
     * A GPU has a kernel for it. On the CPU MLX works out sines and cosines anew for each layer's queries and keys, which
     * takes longer than all the rest of it.
     *
     * @param positions {@code [T]} int32
     */
    Rotation at(Tensor positions) {
        if (Mlx.device() == Device.GPU || interleaved) {
            return x -> FastOps.rope(x, dimensions, interleaved, base, scale, positions, frequencies);
        }
        Tensor column =
                Ops.reshape(Ops.multiply(Ops.astype(positions, DType.FLOAT32), scale), positions.dim(0), 1, 1, 1);
        Tensor angles = Ops.divide(column, wavelengths());
        Tensor cosine = Ops.cos(angles);
        Tensor sine = Ops.sin(angles);
        Tensor own = Ops.concatenate(3, cosine, cosine);
        Tensor other = Ops.concatenate(3, Ops.negative(sine), sine);
        return x -> rotate(x, own, other);
    }

    /** Each dimension by the cosine, and the one half a head away by the sine. */
    private Tensor rotate(Tensor x, Tensor own, Tensor other) {
        int half = dimensions / 2;
        Tensor turned = dimensions == x.dim(3) ? x : Ops.slice(x, 3, 0, dimensions);
        Tensor swapped = Ops.concatenate(3, Ops.slice(x, 3, half, dimensions), Ops.slice(x, 3, 0, half));
        Tensor rotated = Ops.add(
                Ops.multiply(turned, Ops.astype(own, x.dtype())), Ops.multiply(swapped, Ops.astype(other, x.dtype())));
        return dimensions == x.dim(3) ? rotated : Ops.concatenate(3, rotated, Ops.slice(x, 3, dimensions, x.dim(3)));
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
