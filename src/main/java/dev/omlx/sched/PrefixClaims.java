package dev.omlx.sched;

/** Finds out how much of a sequence that has started need not be computed. */
final class PrefixClaims {
    private final KvMemory memory;

    PrefixClaims(KvMemory memory) {
        this.memory = memory;
    }

    /** Whether that is known, so that its prefill may begin. */
    boolean settle(Sequence sequence) {
        if (!sequence.prefixClaimed() && sequence.leader() != null) {
            sequence.claimFromLeader();
        }
        if (!sequence.prefixClaimed()) {
            int cached = memory.claimPrefix(sequence);
            if (cached == KvMemory.PENDING) {
                return false;
            }
            sequence.claimPrefix(cached);
        }
        return true;
    }
}
