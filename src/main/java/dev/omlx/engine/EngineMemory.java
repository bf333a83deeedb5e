package dev.omlx.engine;

import dev.omlx.sched.KvMemory;
import dev.omlx.sched.Sequence;

/** What the scheduler may plan with: the memory limit less the weights. Engine thread only. */
final class EngineMemory implements KvMemory {
    /** Kept free for activations: the largest step's intermediate tensors. */
    private static final long TRANSIENT = 512L << 20;

    private final long limit;
    private final KvBytes kvBytes;
    private long weights;

    /** Bytes of a model's KV buffers with room for that many tokens. */
    interface KvBytes {
        long of(String model, int tokens);
    }

    EngineMemory(long limit, KvBytes kvBytes) {
        this.limit = limit;
        this.kvBytes = kvBytes;
    }

    void weights(long bytes) {
        weights = bytes;
    }

    @Override
    public long bytes(String model, int tokens) {
        return kvBytes.of(model, tokens);
    }

    @Override
    public long budget() {
        return limit();
    }

    @Override
    public long limit() {
        return Math.max(0, limit - weights - TRANSIENT);
    }

    @Override
    public void shrinkCaches(long bytes) {
        // sequences hold all there is; a prefix cache would give back here
    }

    @Override
    public int claimPrefix(Sequence sequence) {
        return 0;
    }
}
