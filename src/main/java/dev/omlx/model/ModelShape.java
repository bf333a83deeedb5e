package dev.omlx.model;

import dev.omlx.kv.tensor.LayerCache;
import dev.omlx.mlx.DType;

/**
 * The sizes of a model that its users plan with.
 *
 * @param intermediate width of the feed-forward block
 * @param heads of queries
 * @param contextLength positions it was made for ({@code max_position_embeddings})
 * @param dtype what it computes in, and what its KV cache holds
 */
public record ModelShape(
        String architecture,
        int layers,
        int hidden,
        int intermediate,
        int heads,
        int kvHeads,
        int headDim,
        int vocabulary,
        int contextLength,
        DType dtype) {
    static ModelShape of(String architecture, DecoderConfig config, DType dtype) {
        return new ModelShape(
                architecture,
                config.layers(),
                config.hidden(),
                config.intermediate(),
                config.heads(),
                config.kvHeads(),
                config.headDim(),
                config.vocabulary(),
                config.contextLength(),
                dtype);
    }

    /** Bytes of KV buffers with room for that many tokens; they grow by whole chunks. */
    public long kvBytes(int tokens) {
        return Math.ceilDiv((long) tokens, LayerCache.CHUNK) * LayerCache.CHUNK * kvBytesPerToken();
    }

    /** Bytes of KV cache that one token takes over all layers. */
    public long kvBytesPerToken() {
        return 2L * layers * kvHeads * headDim * dtype.bytes();
    }
}
