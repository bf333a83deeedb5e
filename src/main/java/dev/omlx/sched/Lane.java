package dev.omlx.sched;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sequences of one model, by what they wait for, and what its steps cost. */
final class Lane {
    private final String model;
    private final CostModel costs = new CostModel();
    private final WaitingQueue waiting = new WaitingQueue();
    private final List<Sequence> prefilling = new ArrayList<>();
    private final List<Sequence> decoding = new ArrayList<>();
    private long usedNanos;
    private long steps;

    Lane(String model) {
        this.model = model;
    }

    String model() {
        return model;
    }

    CostModel costs() {
        return costs;
    }

    WaitingQueue waiting() {
        return waiting;
    }

    List<Sequence> prefilling() {
        return prefilling;
    }

    List<Sequence> decoding() {
        return decoding;
    }

    boolean isIdle() {
        return running() == 0 && waiting.size() == 0;
    }

    int running() {
        return prefilling.size() + decoding.size();
    }

    boolean hasPrefill() {
        return !prefilling.isEmpty() || waiting.size() > 0;
    }

    /** Takes a sequence off whichever list it is on. */
    void remove(Sequence sequence) {
        switch (sequence.state()) {
            case WAITING, PREEMPTED -> waiting.remove(sequence);
            case PREFILL -> prefilling.remove(sequence);
            case DECODE -> decoding.remove(sequence);
            case FINISHED -> {}
        }
    }

    /** Moves a waiting sequence to the prefilling ones. */
    void start(Sequence sequence) {
        waiting.remove(sequence);
        sequence.start();
        prefilling.add(sequence);
    }

    /** A launched step has brought the last of the sequence's prompt under way. */
    void promote(Sequence sequence) {
        if (prefilling.remove(sequence)) {
            decoding.add(sequence);
        }
    }

    /** Sequences whose next token can be computed. */
    List<Sequence> readyRows() {
        return decoding.stream().filter(Sequence::canDecode).toList();
    }

    /** Time that one token for each ready row takes, and the number of steps for it. */
    Round round() {
        int rows = 0;
        long context = 0;
        for (Sequence sequence : decoding) {
            if (sequence.canDecode()) {
                rows++;
                context += sequence.computedTokens() + 1;
            }
        }
        if (rows == 0) {
            return Round.NONE;
        }
        int batch = costs.efficientRows(rows, context);
        long nanos = costs.predict(new StepShape(batch, context * batch / rows, 0, 0));
        int parts = Math.ceilDiv(rows, batch);
        return new Round(rows, batch, parts, nanos * parts);
    }

    /** The rows of this step have had their turn; others go first in the next one. */
    void rotate(List<Sequence> served) {
        decoding.removeAll(served);
        decoding.addAll(served);
    }

    /** Of the sequences that have something to prefill, the oldest. */
    @Nullable
    Sequence oldestPrefill() {
        Sequence oldest = waiting.oldest();
        for (Sequence sequence : prefilling) {
            oldest = oldest == null || Sequence.BY_AGE.compare(sequence, oldest) < 0 ? sequence : oldest;
        }
        return oldest;
    }

    /** Those that prefill already and as many of the waiting ones as there are places, the smallest first. */
    List<Sequence> smallestPrefills(int places) {
        List<Sequence> smallest = new ArrayList<>(prefilling);
        Iterator<Sequence> queue = waiting.smallestFirst();
        for (int i = 0; i < places && queue.hasNext(); i++) {
            smallest.add(queue.next());
        }
        smallest.sort(Sequence.BY_SIZE);
        return smallest;
    }

    /** Time that its steps took, and will take as far as they are in flight. */
    long usedNanos() {
        return usedNanos;
    }

    void use(long nanos) {
        usedNanos += nanos;
    }

    /** Forgets time that it left to others while it was idle, so that it does not claim it back. */
    void catchUp(long nanos) {
        usedNanos = Math.max(usedNanos, nanos);
    }

    /** Steps planned so far. */
    long steps() {
        return steps;
    }

    void countStep() {
        steps++;
    }

    /**
     * One token for each ready row.
     *
     * @param rows that are ready
     * @param batch how many of them go into one step
     * @param steps that it takes until each had its turn
     * @param nanos that those steps take
     */
    record Round(int rows, int batch, int steps, long nanos) {
        static final Round NONE = new Round(0, 0, 1, 0);
    }
}
