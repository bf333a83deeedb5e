package dev.omlx.model;

import dev.omlx.mlx.DType;

/**
 * The sizes of a model that its users plan with.
 *
 * @param contextLength positions it was made for ({@code max_position_embeddings})
 * @param dtype what it computes in, and what its KV cache holds
 */
public record ModelShape(
        String architecture,
        int layers,
        int hidden,
        int kvHeads,
        int headDim,
        int vocabulary,
        int contextLength,
        DType dtype) {
    /** Bytes of KV cache that one token takes over all layers. */
    public long kvBytesPerToken() {
        return 2L * layers * kvHeads * headDim * dtype.bytes();
    }
}
