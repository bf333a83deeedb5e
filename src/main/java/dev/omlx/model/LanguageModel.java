package dev.omlx.model;

import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.mlx.Tensor;
import dev.omlx.nn.RaggedBatch;

/** A model that continues sequences. Owns its weights; engine thread only. */
public interface LanguageModel extends AutoCloseable {
    ModelShape shape();

    /**
     * An empty KV cache for one sequence; the caller closes it.
     *
     * @param expected tokens that will surely come
     */
    SequenceCache newCache(int expected);

    /** An empty KV cache for a sequence of which nothing is known. */
    default SequenceCache newCache() {
        return newCache(0);
    }

    /** Bytes of such a cache with room for that many tokens. */
    default long kvBytes(int tokens) {
        return shape().kvBytes(tokens);
    }

    /**
     * Runs the step's tokens through all layers and puts their keys and values into the segments' caches.
     *
     * @return {@code [T, hidden]} after the last norm, one row a token
     */
    Tensor hidden(RaggedBatch batch);

    /** {@code [rows, hidden] → [rows, vocabulary]}, only for the rows whose next token is wanted. */
    Tensor logits(Tensor hidden);

    @Override
    void close();
}
