package dev.omlx.engine;

import dev.omlx.sched.Sequence;

/**
 * The part of one sequence in a step could not be made. Thrown before anything of the step is computed: the other
 * sequences are as they were, and the step can be planned again without this one.
 */
final class SequenceFault extends RuntimeException {
    private final transient Sequence sequence;

    SequenceFault(Sequence sequence, RuntimeException cause) {
        super("sequence " + sequence.id() + ": " + cause.getMessage(), cause);
        this.sequence = sequence;
    }

    Sequence sequence() {
        return sequence;
    }
}
