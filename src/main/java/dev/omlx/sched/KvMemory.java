package dev.omlx.sched;

/**
 * Memory for KV caches, as the engine manages it. The scheduler keeps the account of what running sequences hold; all
 * figures here are about that account. Called on the engine thread while planning; nothing may throw or block.
 */
public interface KvMemory {
    /** {@link #claimPrefix}'s answer while a prefix is still on its way, say from disk. */
    int PENDING = -1;

    /** Bytes of one sequence's KV buffers with room for that many tokens; never falls as {@code tokens} grows. */
    long bytes(String model, int tokens);

    /** Bytes that all running sequences may hold together now: the limit minus weights, caches and all other use. */
    long budget();

    /** The largest {@link #budget} could become with every cache emptied. */
    long limit();

    /**
     * How many more tokens of prefill a step may take for its intermediate tensors to fit beside what sequences hold.
     *
     * @param step what it has already
     * @param start position of the first of them
     * @param tokens that are wanted
     * @param held bytes that sequences hold
     * @return 0 to {@code tokens}
     */
    default int prefillRoom(String model, StepShape step, int start, int tokens, long held) {
        return tokens;
    }

    /** Asks caches to give back at least that many bytes, as far as they can. Shows in {@link #budget} at once. */
    void shrinkCaches(long bytes);

    /**
     * A sequence starts, or resumes after preemption: finds and pins what a prefix cache has of its known tokens.
     * Asked again at each step while the answer is {@link #PENDING}. Whatever is pinned or under way is given up when
     * the sequence comes back from {@link Scheduler#takeReleasable}.
     *
     * @return how many tokens need not be computed, less than {@link Sequence#knownTokens}, or {@link #PENDING}
     */
    int claimPrefix(Sequence sequence);
}
