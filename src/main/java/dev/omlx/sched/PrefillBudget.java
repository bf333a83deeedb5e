package dev.omlx.sched;

/** How much prefill a step still takes, by tokens, by memory and by predicted time. */
final class PrefillBudget {
    private final SchedulerConfig config;
    private final StepBuilder step;
    private final long limitNanos;
    private final int whole;

    /**
     * @param step holds the decoding rows
     * @param limitNanos what the whole step may take
     * @param start where the first chunk will probably begin
     */
    PrefillBudget(SchedulerConfig config, StepBuilder step, long limitNanos, int start) {
        this.config = config;
        this.step = step;
        this.limitNanos = limitNanos;
        whole = room(start);
    }

    /** Whether the budget can be given to two, or only to one after the other. */
    boolean isDivisible() {
        return whole / 2 >= config.minPrefillTokens();
    }

    /** Tokens from position {@code start} on that there is room for. */
    int room(int start) {
        int left =
                step.memoryRoom(start, config.prefillChunkSize() - step.shape().prefillTokens());
        int room = step.costs().fit(step.shape(), start, left, limitNanos);
        return isUntouched() ? Math.max(room, config.minPrefillTokens()) : room;
    }

    /** What the oldest sequence gets before anybody else. */
    int oldestShare(Sequence sequence) {
        int room = room(sequence.computedTokens());
        return Math.min(sequence.remainingTokens(), isDivisible() ? room / 2 : room);
    }

    /** What a sequence gets when its turn comes; 0 rather than too small a piece. */
    int share(Sequence sequence) {
        int remaining = sequence.remainingTokens();
        int room = room(sequence.computedTokens());
        if (remaining <= room) {
            return remaining;
        }
        int share = isUntouched() ? room : Math.min(room, whole / 2);
        return share >= config.minPrefillTokens() ? share : 0;
    }

    private boolean isUntouched() {
        return step.shape().prefillTokens() == 0;
    }
}
