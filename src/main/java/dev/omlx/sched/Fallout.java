package dev.omlx.sched;

import java.util.List;

/**
 * What a failed step brought down.
 *
 * @param ended sequences that ended with it, since they were alone in it
 * @param voided steps in flight that built on it, oldest first; they are over, whatever they give
 */
public record Fallout(List<Sequence> ended, List<StepPlan> voided) {
    public Fallout {
        ended = List.copyOf(ended);
        voided = List.copyOf(voided);
    }
}
