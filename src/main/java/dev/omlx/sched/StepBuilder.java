package dev.omlx.sched;

import java.util.ArrayList;
import java.util.List;

/** A step of one model in the making. */
final class StepBuilder {
    private final Lane lane;
    private final long nowNanos;
    private final List<Failure> failures;
    private final List<Work> work = new ArrayList<>();
    private StepShape shape = StepShape.EMPTY;

    /** @param failures takes sequences that are given up on the way, whether or not the step comes to be */
    StepBuilder(Lane lane, long nowNanos, List<Failure> failures) {
        this.lane = lane;
        this.nowNanos = nowNanos;
        this.failures = failures;
    }

    Lane lane() {
        return lane;
    }

    CostModel costs() {
        return lane.costs();
    }

    long nowNanos() {
        return nowNanos;
    }

    void fail(Failure failure) {
        failures.add(failure);
    }

    void addRow(Sequence sequence) {
        work.add(new Work(sequence, sequence.computedTokens(), 1, true));
        shape = shape.plusDecode(sequence.computedTokens() + 1);
    }

    void addChunk(Sequence sequence, int tokens) {
        boolean last = tokens == sequence.remainingTokens();
        work.add(new Work(
                sequence, sequence.computedTokens(), tokens, last && sequence.maxNewTokens() > 0, sequence.leader()));
        shape = shape.plusPrefill(sequence.computedTokens(), tokens);
    }

    StepShape shape() {
        return shape;
    }

    boolean isEmpty() {
        return work.isEmpty();
    }

    StepPlan build(long number) {
        return new StepPlan(number, lane.model(), work, shape, costs().predict(shape), failures);
    }
}
