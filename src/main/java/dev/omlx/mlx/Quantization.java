package dev.omlx.mlx;

/**
 * How packed weights are to be read.
 *
 * @param mode MLX's scheme
 * @param bits a weight takes, 2 to 8
 * @param groupSize weights that share a scale
 */
public record Quantization(Mode mode, int bits, int groupSize) {
    /** MLX's quantisation schemes. */
    public enum Mode {
        /** {@code scale · q + zero}, all of them stored. */
        AFFINE,
        MXFP4,
        MXFP8,
        NVFP4;

        /** The scheme's name in MLX and in {@code config.json}. */
        public String wireName() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
