package dev.omlx.sched;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The ways out of running: a sequence ends or is preempted. From then on no plan holds it, and its memory is free as
 * soon as the engine has released it, which it may do once no step in flight works on the sequence.
 */
final class Departures {
    private final Lanes lanes;
    private final KvLedger kv;
    private final Set<Sequence> draining = new LinkedHashSet<>();
    private final Set<Sequence> releasable = new LinkedHashSet<>();
    private long preemptions;

    Departures(Lanes lanes, KvLedger kv) {
        this.lanes = lanes;
        this.kv = kv;
    }

    void finish(Sequence sequence, Ending ending) {
        lanes.of(sequence).remove(sequence);
        sequence.finish(ending);
        depart(sequence);
    }

    void preempt(Sequence sequence) {
        lanes.of(sequence).remove(sequence);
        sequence.preempt();
        preemptions++;
        depart(sequence);
    }

    /** A step failed that was to compute the sequence up to that position: what it holds is worth nothing. */
    void distrust(Sequence sequence, int position) {
        boolean running = sequence.running();
        if (running) {
            lanes.of(sequence).remove(sequence);
            sequence.preempt();
        }
        sequence.spoil();
        if (!sequence.finished()) {
            sequence.suspect(position);
        }
        if (running) {
            depart(sequence);
        }
    }

    /** One that was preempted and now ends is here already, and stays where it is. */
    private void depart(Sequence sequence) {
        if (!draining.contains(sequence) && !releasable.contains(sequence)) {
            kv.leave(sequence);
            (sequence.stepsInFlight() > 0 ? draining : releasable).add(sequence);
        }
    }

    /** A step is over that worked on the sequence. */
    void settled(Sequence sequence) {
        if (sequence.stepsInFlight() == 0 && draining.remove(sequence)) {
            releasable.add(sequence);
        }
    }

    /** Hands over those that nothing touches any more; their memory counts as free from here on. */
    List<Sequence> take() {
        List<Sequence> taken = new ArrayList<>(releasable);
        releasable.clear();
        taken.forEach(kv::release);
        return taken;
    }

    boolean isEmpty() {
        return draining.isEmpty() && releasable.isEmpty();
    }

    long preemptions() {
        return preemptions;
    }

    Set<Sequence> draining() {
        return draining;
    }

    Set<Sequence> releasable() {
        return releasable;
    }
}
