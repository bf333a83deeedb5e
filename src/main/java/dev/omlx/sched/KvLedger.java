package dev.omlx.sched;

/**
 * The account of KV memory: what each sequence has reserved, in whole growth steps, from its start until the engine
 * has released it.
 */
final class KvLedger {
    private final KvMemory memory;
    private final int growthTokens;
    private long held;
    private long leaving;

    KvLedger(KvMemory memory, int growthTokens) {
        this.memory = memory;
        this.growthTokens = growthTokens;
    }

    /** Bytes that sequences hold, those on their way out included. */
    long held() {
        return held;
    }

    /** The part of {@link #held} that will be free once the engine has released it. */
    long leaving() {
        return leaving;
    }

    /** Whether {@code bytes} more would fit once everything that leaves has left. */
    boolean willFit(long bytes) {
        return held - leaving + bytes <= memory.budget();
    }

    /** Bytes of a sequence with room for that many tokens. */
    long bytes(Sequence sequence, int tokens) {
        return memory.bytes(sequence.model(), roundUp(tokens));
    }

    /** Bytes that a sequence still lacks for that many tokens. */
    long lacking(Sequence sequence, int tokens) {
        return tokens <= sequence.reservedTokens() ? 0 : bytes(sequence, tokens) - sequence.reservedBytes();
    }

    /**
     * Reserves room for that many tokens, shrinking caches if they stand in the way.
     *
     * @param headroom bytes that must stay free beyond it
     * @return whether it fits; if not, nothing has changed
     */
    boolean reserve(Sequence sequence, int tokens, long headroom) {
        long lacking = lacking(sequence, tokens);
        if (lacking == 0) {
            return true;
        }
        if (!makeFree(lacking + headroom)) {
            return false;
        }
        sequence.reserve(roundUp(tokens), sequence.reservedBytes() + lacking);
        held += lacking;
        return true;
    }

    /** Bytes that a sequence with room for that many tokens takes when it grows once more; 0 if it ends before that. */
    long nextGrowth(Sequence sequence, int tokens) {
        int room = roundUp(tokens);
        return sequence.mostTokens() > room ? bytes(sequence, room + 1) - bytes(sequence, room) : 0;
    }

    /** Tries to have that many bytes free, shrinking caches; 0 asks whether the budget covers what is held. */
    boolean makeFree(long bytes) {
        long shortage = held + bytes - memory.budget();
        if (shortage > 0) {
            memory.shrinkCaches(shortage);
        }
        return held + bytes <= memory.budget();
    }

    /** The sequence has ended or was preempted; its memory is free as soon as its steps in flight are over. */
    void leave(Sequence sequence) {
        leaving += sequence.reservedBytes();
    }

    /** The engine releases a sequence that has left. */
    void release(Sequence sequence) {
        held -= sequence.reservedBytes();
        leaving -= sequence.reservedBytes();
        sequence.reserve(0, 0);
    }

    /** Tokens of prefill whose intermediate tensors fit into a step beside all that is held. */
    int prefillRoom(String model, StepShape step, int start, int tokens) {
        return memory.prefillRoom(model, step, start, tokens, held);
    }

    Failure failure(Sequence sequence, int tokens, long available) {
        return new Failure(sequence, tokens, bytes(sequence, tokens), available);
    }

    long budget() {
        return memory.budget();
    }

    long limit() {
        return memory.limit();
    }

    private int roundUp(int tokens) {
        return Math.multiplyExact(Math.ceilDiv(tokens, growthTokens), growthTokens);
    }
}
