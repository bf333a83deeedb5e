package dev.omlx.mlx;

/** Where MLX computes. */
public enum Device {
    CPU,
    /** Metal on Apple Silicon, CUDA on Linux. */
    GPU;

    @SuppressWarnings("EnumOrdinal") // MLX numbers them in this order
    int code() {
        return ordinal();
    }
}
