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
    /** The rotation of some heads of a step's rows, which all layers share. */
    interface Rotation {
        /**
         * Rotates queries or keys, and multiplies them.
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
     * @param heads that each row has
     * @param factor what they are multiplied with
     */
    Rotation at(Tensor positions, int heads, float factor) {
        if (Mlx.device() == Device.GPU || interleaved) {
            return x -> {
                Tensor rotated = FastOps.rope(x, dimensions, interleaved, base, scale, positions, frequencies);
                return factor == 1 ? rotated : Ops.multiply(rotated, factor);
            };
        }
        int rows = positions.dim(0);
        Tensor column = Ops.reshape(Ops.multiply(Ops.astype(positions, DType.FLOAT32), scale), rows, 1, 1, 1);
        Tensor angles = Ops.divide(column, wavelengths());
        Tensor cosine = Ops.multiply(Ops.cos(angles), factor);
        Tensor sine = Ops.multiply(Ops.sin(angles), factor);
        Tensor own = Ops.concatenate(3, cosine, cosine);
        Tensor other = Ops.concatenate(3, Ops.negative(sine), sine);
        int[] table = {rows, heads, 1, dimensions};
        return new Halves(Ops.broadcastTo(own, table), Ops.broadcastTo(other, table));
    }

    /**
     * Each dimension by the cosine, and the one half a head away by the sine.
     *
     * @param own {@code [T, heads, 1, dimensions]} what a dimension itself is multiplied with; likewise {@code other}
     *     what its partner is
     */
    private record Halves(Tensor own, Tensor other) implements Rotation {
        @Override
        public Tensor apply(Tensor x) {
            int dimensions = own.dim(3);
            if (x.dim(3) > dimensions) {
                Tensor rotated = apply(Ops.slice(x, 3, 0, dimensions));
                return Ops.concatenate(3, rotated, Ops.slice(x, 3, dimensions, x.dim(3)));
            }
            Tensor swapped =
                    Ops.concatenate(3, Ops.slice(x, 3, dimensions / 2, dimensions), Ops.slice(x, 3, 0, dimensions / 2));
            return Ops.add(
                    Ops.multiply(x, Ops.astype(own, x.dtype())), Ops.multiply(swapped, Ops.astype(other, x.dtype())));
        }
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
