package dev.omlx.model;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Device;
import org.jspecify.annotations.Nullable;

/**
 * What a model computes in.
 *
 * @param dtype element type of weights, activations and KV cache; null keeps the checkpoint's own
 * @param dequantize unpack quantised weights when they are loaded
 */
public record Precision(@Nullable DType dtype, boolean dequantize) {
    /** The checkpoint's own types, quantised weights left packed. */
    public static final Precision STORED = new Precision(null, false);

    /**
     * What is fast on that device: on the CPU, where MLX's kernels for half precision and packed weights are scalar,
     * float32 all through; on a GPU the checkpoint's own.
     */
    public static Precision auto(Device device) {
        return device == Device.CPU ? new Precision(DType.FLOAT32, true) : STORED;
    }
}
