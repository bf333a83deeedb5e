package dev.omlx.sched;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sequences of one model, by what they wait for, and what its steps cost. */
final class Lane {
    private final String model;
    private final CostModel costs = new CostModel();
    private final WaitingQueue waiting = new WaitingQueue();
    private final Set<Sequence> awaiting = new LinkedHashSet<>();
    private final List<Sequence> prefilling = new ArrayList<>();
    private final List<Sequence> decoding = new ArrayList<>();
    private final Quarantine quarantine = new Quarantine();
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

    /** Those that may not start before their leader has come far enough. */
    Set<Sequence> awaiting() {
        return awaiting;
    }

    List<Sequence> prefilling() {
        return prefilling;
    }

    List<Sequence> decoding() {
        return decoding;
    }

    Quarantine quarantine() {
        return quarantine;
    }

    boolean isIdle() {
        return running() == 0 && waitingCount() == 0;
    }

    int running() {
        return runningSequences().size();
    }

    /** All that hold memory, suspects included. */
    List<Sequence> runningSequences() {
        List<Sequence> running = new ArrayList<>(prefilling);
        running.addAll(decoding);
        running.addAll(quarantine.running());
        return running;
    }

    int waitingCount() {
        return waitingSequences().size();
    }

    /** All that hold no memory, suspects included. */
    List<Sequence> waitingSequences() {
        List<Sequence> sequences = new ArrayList<>(quarantine.waiting());
        waiting.all().forEach(sequences::add);
        sequences.addAll(awaiting);
        return sequences;
    }

    LaneStats stats() {
        int inDecode = (int) runningSequences().stream()
                .filter(sequence -> sequence.state() == SequenceState.DECODE)
                .count();
        return new LaneStats(waitingCount(), running() - inDecode, inDecode);
    }

    /** Puts a sequence that holds nothing where it waits. */
    void enqueue(Sequence sequence) {
        if (sequence.isSuspect()) {
            quarantine.add(sequence);
        } else if (sequence.isAwaiting()) {
            awaiting.add(sequence);
        } else {
            waiting.add(sequence);
        }
    }

    /** Takes a sequence off where it waits, and says whether it was there. */
    boolean dequeue(Sequence sequence) {
        if (awaiting.remove(sequence)) {
            return true;
        }
        boolean queued = waiting.contains(sequence);
        waiting.remove(sequence);
        return queued;
    }

    /** Its leader has come far enough. */
    void stopAwaiting(Sequence sequence) {
        if (awaiting.remove(sequence)) {
            waiting.add(sequence);
        }
    }

    /** A suspect is one no more. */
    void clear(Sequence sequence) {
        if (quarantine.remove(sequence)) {
            (sequence.state() == SequenceState.DECODE ? decoding : prefilling).add(sequence);
        }
    }

    boolean hasPrefill() {
        return !prefilling.isEmpty() || waiting.size() > 0;
    }

    /** Takes a sequence off whichever list it is on. */
    void remove(Sequence sequence) {
        if (quarantine.remove(sequence)) {
            return;
        }
        switch (sequence.state()) {
            case WAITING, PREEMPTED -> dequeue(sequence);
            case PREFILL -> prefilling.remove(sequence);
            case DECODE -> decoding.remove(sequence);
            case FINISHED -> {}
        }
    }

    /** Moves a waiting sequence to the prefilling ones, unless it is a suspect. */
    void start(Sequence sequence) {
        waiting.remove(sequence);
        sequence.start();
        if (!sequence.isSuspect()) {
            prefilling.add(sequence);
        }
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

    /** The same, suspects included. */
    List<Sequence> growingRows() {
        return runningSequences().stream().filter(Sequence::canDecode).toList();
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

    void count(StepPlan step) {
        steps++;
        if (step.isSolo()) {
            quarantine.served(step.work().getFirst().sequence());
        } else {
            quarantine.passedOver();
        }
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
