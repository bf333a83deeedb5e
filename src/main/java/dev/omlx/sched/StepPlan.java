package dev.omlx.sched;

import java.util.List;

/**
 * What the next step computes. A plan that is not launched may be thrown away; the next one holds its work again.
 *
 * @param number grows with each plan
 * @param model key of the one model it is for; empty when there is nothing to compute
 * @param work decoding rows first, then chunks of prefill; no sequence twice
 * @param shape its size
 * @param predictedNanos how long it will probably take, 0 if unknown
 * @param failures sequences given up while planning; they have ended, whether or not this plan is launched
 */
public record StepPlan(
        long number, String model, List<Work> work, StepShape shape, long predictedNanos, List<Failure> failures) {

    public StepPlan {
        work = List.copyOf(work);
        failures = List.copyOf(failures);
    }

    /** Whose work it holds, in its order. */
    public List<Sequence> sequences() {
        return work.stream().map(Work::sequence).toList();
    }

    /** Whether it holds a suspect alone. */
    boolean isSolo() {
        return work.size() == 1 && work.getFirst().sequence().isSuspect();
    }

    /** Whether there is nothing to launch. */
    public boolean isEmpty() {
        return work.isEmpty();
    }
}
