package dev.omlx.mlx;

/** Where MLX computes. */
public enum Device {
    CPU,
    /** Metal on Apple Silicon, CUDA on Linux. */
    GPU;

    int code() {
        return ordinal();
    }
}
