package dev.omlx.sched;

import java.util.List;

/**
 * Fills a step with prefill. The smallest prompt goes first, so that short ones do not wait for long ones; but half of
 * the room belongs to the oldest, so that a long one is never starved by short ones. A prompt that does not end in
 * this step gets all the room if it is the first in it and half otherwise, so that those which do end are not held up.
 */
final class PrefillPlanner {
    private final SchedulerConfig config;
    private final AdmissionGate gate;
    private final PrefixClaims prefixes;

    PrefillPlanner(SchedulerConfig config, AdmissionGate gate, PrefixClaims prefixes) {
        this.config = config;
        this.gate = gate;
        this.prefixes = prefixes;
    }

    /**
     * @param step holds the decoding rows
     * @param limitNanos what the whole step may take
     * @param admit whether waiting sequences may start
     */
    void plan(StepBuilder step, long limitNanos, boolean admit) {
        Lane lane = step.lane();
        Sequence oldest = lane.oldestPrefill();
        if (oldest == null) {
            return;
        }
        PrefillBudget budget = new PrefillBudget(config, step, limitNanos, oldest.computedTokens());
        List<Sequence> candidates = lane.smallestPrefills(admit ? gate.places(lane) : 0);
        boolean oldestIsSmallest = !candidates.isEmpty() && candidates.getFirst() == oldest;
        boolean oldestFirst = !oldestIsSmallest && (budget.isDivisible() || lane.steps() % 2 == 0);
        if (oldestFirst && ready(step, oldest, oldest, admit)) {
            step.addChunk(oldest, budget.oldestShare(oldest));
        }
        boolean open = admit;
        for (Sequence candidate : candidates) {
            if (oldestFirst && candidate == oldest) {
                continue;
            }
            if (budget.room(candidate.computedTokens()) == 0) {
                break;
            }
            if (ready(step, candidate, oldest, open)) {
                int tokens = budget.share(candidate);
                if (tokens > 0) {
                    step.addChunk(candidate, tokens);
                }
            } else {
                // those that follow are larger and would not get in either
                open &= candidate.running();
            }
        }
    }

    /** Whether the sequence runs and has what the prefix cache supplies; starts it if it may. */
    private boolean ready(StepBuilder step, Sequence sequence, Sequence oldest, boolean admit) {
        boolean running = sequence.running()
                || (admit
                        && step.lane().waiting().contains(sequence)
                        && gate.admit(step, sequence, sequence == oldest));
        return running && prefixes.settle(sequence);
    }
}
