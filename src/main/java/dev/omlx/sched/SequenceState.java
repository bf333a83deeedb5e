package dev.omlx.sched;

/** Where a sequence is in its life. */
public enum SequenceState {
    /** Accepted, holds nothing. */
    WAITING,
    /** Holds KV memory; known tokens are still to be computed. */
    PREFILL,
    /** Every known token is computed or launched; each further step gives one token. */
    DECODE,
    /** Gave its KV memory back under pressure; starts again with prompt and answer as its prompt. */
    PREEMPTED,
    /** Ended; may still have steps in flight, whose tokens are dropped. */
    FINISHED;

    boolean mayBecome(SequenceState next) {
        return switch (this) {
            case WAITING -> next == PREFILL || next == FINISHED;
            case PREFILL -> next == DECODE || next == PREEMPTED || next == FINISHED;
            case DECODE -> next == PREEMPTED || next == FINISHED;
            case PREEMPTED -> next == PREFILL || next == FINISHED;
            case FINISHED -> false;
        };
    }
}
