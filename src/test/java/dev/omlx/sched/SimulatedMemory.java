package dev.omlx.sched;

import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/** KV memory of an imagined engine, with a cache that grows into what is free and shrinks when asked. */
final class SimulatedMemory implements KvMemory {
    static final int BYTES_PER_TOKEN = 1000;

    private long limit;
    private long cacheBytes;
    private long otherBytes;
    private long shrunkBytes;
    private ToIntFunction<Sequence> prefix = sequence -> 0;
    private final Map<Sequence, Integer> claimed = new HashMap<>();

    private SimulatedMemory(long limit) {
        this.limit = limit;
    }

    static SimulatedMemory ofTokens(long tokens) {
        return new SimulatedMemory(tokens * BYTES_PER_TOKEN);
    }

    static SimulatedMemory plenty() {
        return ofTokens(1L << 40);
    }

    /** What the prefix cache answers. */
    SimulatedMemory withPrefix(ToIntFunction<Sequence> answer) {
        prefix = answer;
        return this;
    }

    /** Something else, such as another model's weights, takes that many tokens' memory and does not give it back. */
    void takeAway(long tokens) {
        otherBytes = tokens * BYTES_PER_TOKEN;
    }

    /** Lets the cache take that many tokens' memory. */
    void fillCache(long tokens) {
        cacheBytes += tokens * BYTES_PER_TOKEN;
    }

    long cacheBytes() {
        return cacheBytes;
    }

    long shrunkBytes() {
        return shrunkBytes;
    }

    /** Sequences that claimed a prefix and were not released. */
    int claims() {
        return claimed.size();
    }

    boolean holdsClaim(Sequence sequence) {
        return claimed.containsKey(sequence);
    }

    void release(Sequence sequence) {
        claimed.remove(sequence);
    }

    @Override
    public long bytes(String model, int tokens) {
        return (long) tokens * BYTES_PER_TOKEN;
    }

    @Override
    public long budget() {
        return limit - cacheBytes - otherBytes;
    }

    @Override
    public long limit() {
        return limit;
    }

    @Override
    public void shrinkCaches(long bytes) {
        long freed = Math.min(bytes, cacheBytes);
        cacheBytes -= freed;
        shrunkBytes += freed;
    }

    @Override
    public int claimPrefix(Sequence sequence) {
        int answer = prefix.applyAsInt(sequence);
        claimed.put(sequence, answer);
        return answer;
    }
}
