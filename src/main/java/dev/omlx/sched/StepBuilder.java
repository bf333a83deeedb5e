package dev.omlx.sched;

import java.util.ArrayList;
import java.util.List;

/** A step of one model in the making. */
final class StepBuilder {
    private final Lane lane;
    private final KvLedger kv;
    private final long nowNanos;
    private final List<Failure> failures;
    private final List<Work> work = new ArrayList<>();
    private StepShape shape = StepShape.EMPTY;

    /** @param failures takes sequences that are given up on the way, whether or not the step comes to be */
    StepBuilder(Lane lane, KvLedger kv, long nowNanos, List<Failure> failures) {
        this.lane = lane;
        this.kv = kv;
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

    /** Tokens of prefill, of those wanted from position {@code start} on, that memory has room for. */
    int memoryRoom(int start, int tokens) {
        return kv.prefillRoom(lane.model(), shape, start, tokens);
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
