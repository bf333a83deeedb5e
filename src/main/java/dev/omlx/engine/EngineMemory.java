package dev.omlx.engine;

import dev.omlx.kv.tensor.SlotArena;
import dev.omlx.kv.tensor.SlotArenas;
import dev.omlx.model.ModelShape;
import dev.omlx.model.StepMemory;
import dev.omlx.sched.KvMemory;
import dev.omlx.sched.Largest;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepShape;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The memory guard: divides the ceiling among the weights, MLX's buffer cache, a step's intermediate tensors, and the KV
 * buffers of sequences, which get all the rest. Of the intermediate tensors only those of the smallest useful step are
 * set aside for good; a larger step takes what is free just then, so chunks of prefill shrink before anybody is
 * preempted. Engine thread only.
 */
final class EngineMemory implements KvMemory {
    /** Tokens of prefill beside a full batch that there is always room for. */
    private static final int LEAST_CHUNK = 32;

    /**
     * MLX keeps freed buffers for the next tensors of their size. A step frees and takes the same sizes as the one before,
     * so a small part of the ceiling is enough; without a bound the cache grows up to the ceiling, beside the tensors.
     */
    private static final int CACHE_SHARE = 32;

    /** The part of what is free that a step may take beyond its reserve; the rest is for those that start or grow. */
    private static final int SPARE_FOR_OTHERS = 2;

    /** The part of what the weights leave that free slots of arenas may take; where they need more there are no arenas. */
    private static final int ARENA_SHARE = 16;

    private static final Duration CLEAR_INTERVAL = Duration.ofSeconds(1);

    private final Runnable clearCache;
    private long cleared = System.nanoTime() - CLEAR_INTERVAL.toNanos();
    private long ceiling;
    private @Nullable Model model;

    /**
     * @param weights bytes
     * @param reserve bytes for the intermediate tensors of the smallest step
     * @param slots bytes for free slots of arenas
     */
    private record Model(StepMemory steps, long weights, long reserve, long slots, KvBytes kv) {}

    /** Bytes of a sequence's KV buffers with room for that many tokens. */
    interface KvBytes {
        long of(int tokens);
    }

    /** @param clearCache gives MLX's cached buffers back to the system */
    EngineMemory(long ceiling, Runnable clearCache) {
        this.ceiling = ceiling;
        this.clearCache = clearCache;
    }

    /** Lowers the ceiling to what the device has. */
    void lowerCeiling(long bytes) {
        ceiling = Math.min(ceiling, bytes);
    }

    long ceiling() {
        return ceiling;
    }

    /** What MLX may keep of freed buffers. */
    long cacheLimit() {
        return ceiling / CACHE_SHARE;
    }

    /** What tensors may hold together. */
    long tensorLimit() {
        return ceiling - cacheLimit();
    }

    /**
     * Makes room for a model, or says that there is none.
     *
     * @param weights bytes that its weights take, or will take
     * @param contextLength most positions of a sequence
     * @param maxRows most sequences in a step
     * @return most positions of a sequence that fit beside the weights with nothing else there, up to that length
     * @throws ModelTooLargeException if not even one sequence of the smallest size fits beside the weights
     */
    int admit(String name, StepMemory steps, long weights, int contextLength, int maxRows, KvBytes kv) {
        long slots = slots(tensorLimit() - weights, maxRows, kv);
        long free = tensorLimit() - weights - slots;
        int longest = longest(steps, contextLength, maxRows, free, kv);
        if (longest == 0) {
            long working = kv.of(1) + reserve(steps, 1, maxRows, contextLength, free);
            throw new ModelTooLargeException(name, weights, working, cacheLimit(), ceiling);
        }
        model = new Model(steps, weights, reserve(steps, longest, maxRows, contextLength, free), slots, kv);
        return longest;
    }

    /** What free slots of arenas may take; where that is too much there are no arenas. */
    private static long slots(long free, int maxRows, KvBytes kv) {
        long slots = SlotArenas.MOST_FREE * kv.of(SlotArena.CAPACITY);
        return maxRows >= SlotArena.SLOTS && slots <= free / ARENA_SHARE ? slots : 0;
    }

    /** Whether short sequences may stand side by side, which leaves slots free now and then. */
    boolean hasRoomForArenas() {
        return model != null && model.slots > 0;
    }

    /** The longest sequence that fits alone; 0 if none does. */
    private static int longest(StepMemory steps, int contextLength, int maxRows, long free, KvBytes kv) {
        return Largest.thatFits(
                contextLength, tokens -> kv.of(tokens) + reserve(steps, tokens, maxRows, contextLength, free) <= free);
    }

    /** A full batch of decoding rows and the least chunk of prefill, with sequences of up to that many positions. */
    private static long reserve(StepMemory steps, int longest, int maxRows, int contextLength, long free) {
        ModelShape shape = steps.shape();
        long together = Math.min((long) maxRows * contextLength, Math.max(0, free) / shape.kvBytesPerToken());
        int rows = maxRows + PromptRows.SAMPLED_ROWS;
        return steps.bytes(maxRows + LEAST_CHUNK, together + (long) LEAST_CHUNK * longest, rows, longest);
    }

    @Override
    public long bytes(String name, int tokens) {
        Model loaded = model;
        return loaded == null ? Long.MAX_VALUE : loaded.kv.of(tokens);
    }

    @Override
    public long budget() {
        return limit();
    }

    @Override
    public long limit() {
        Model loaded = model;
        return loaded == null ? 0 : tensorLimit() - loaded.weights - loaded.reserve - loaded.slots;
    }

    @Override
    public int prefillRoom(String name, StepShape step, int start, int tokens, long held) {
        Model loaded = model;
        if (loaded == null) {
            return 0;
        }
        long spare = Math.max(0, limit() - held);
        long free = loaded.reserve + spare / SPARE_FOR_OTHERS;
        return Largest.thatFits(
                tokens, some -> bytes(loaded.steps, step.plusPrefill(start, some), start + some) <= free);
    }

    /** Every chunk may be the last of its prompt and want a token, and the one before it may be scored meanwhile. */
    private static long bytes(StepMemory steps, StepShape step, int longest) {
        long chunk = step.prefillTokens();
        // a chunk's tokens are scored against all of it, and attend to half of it
        long scored = step.decodeContext() + step.prefillContext() + chunk * chunk / 2;
        int rows = step.decodeRows() + 1 + PromptRows.SAMPLED_ROWS;
        return steps.bytes(step.tokens(), scored, rows, longest);
    }

    @Override
    public void shrinkCaches(long bytes) {
        // nothing of it is in the budget, but buffers of sizes that are no longer wanted should not lie about just now;
        // seldom, since it may wait for the step under way
        long now = System.nanoTime();
        if (now - cleared >= CLEAR_INTERVAL.toNanos()) {
            cleared = now;
            clearCache.run();
        }
    }

    /** Nothing is kept yet; whoever changes that must leave out prompts that are scored. */
    @Override
    public int claimPrefix(Sequence sequence) {
        return 0;
    }
}
