package dev.omlx.sched;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ways out of running: a sequence ends or is preempted. From then on no plan holds it, and its memory is free as
 * soon as the engine has released it, which it may do once no step in flight works on the sequence.
 */
final class Departures {
    private final Lanes lanes;
    private final KvLedger kv;
    private final SharedPrefixes shared;
    private final Set<Sequence> kept = new LinkedHashSet<>();
    private final Set<Sequence> draining = new LinkedHashSet<>();
    private final Set<Sequence> releasable = new LinkedHashSet<>();
    private long preemptions;

    Departures(Lanes lanes, KvLedger kv, SharedPrefixes shared) {
        this.lanes = lanes;
        this.kv = kv;
        this.shared = shared;
    }

    void finish(Sequence sequence, Ending ending) {
        lanes.of(sequence).remove(sequence);
        sequence.finish(ending);
        Sequence leader = shared.unlink(sequence);
        shared.left(sequence);
        depart(sequence);
        letGo(leader);
    }

    void preempt(Sequence sequence) {
        lanes.of(sequence).remove(sequence);
        sequence.preempt();
        preemptions++;
        shared.left(sequence);
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
        Sequence leader = null;
        if (!sequence.finished()) {
            sequence.suspicion().raise(position);
            leader = shared.unlink(sequence);
        }
        shared.left(sequence);
        if (running) {
            depart(sequence);
        }
        letGo(leader);
        letGo(sequence);
    }

    /** A step was launched in which the sequence copies its leader's KV. */
    void copied(Sequence follower) {
        letGo(shared.unlink(follower));
    }

    /**
     * Gives up ended sequences that are kept for others to copy from, but for those whose copy is about to be made.
     *
     * @return whether there were any
     */
    boolean dropKept() {
        List<Sequence> leaders =
                kept.stream().filter(leader -> !shared.isBeingCopied(leader)).toList();
        for (Sequence leader : leaders) {
            shared.abandon(leader);
            letGo(leader);
        }
        return !leaders.isEmpty();
    }

    /** An ended sequence goes once nobody waits for its KV any more. */
    private void letGo(@Nullable Sequence leader) {
        if (leader != null && !shared.isAwaited(leader) && kept.remove(leader)) {
            leave(leader);
        }
    }

    /** One that was preempted and now ends is here already, and stays where it is. */
    private void depart(Sequence sequence) {
        if (draining.contains(sequence) || releasable.contains(sequence)) {
            return;
        }
        if (shared.isAwaited(sequence)) {
            kept.add(sequence);
        } else {
            leave(sequence);
        }
    }

    private void leave(Sequence sequence) {
        kv.leave(sequence);
        (sequence.stepsInFlight() > 0 ? draining : releasable).add(sequence);
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
        return draining.isEmpty() && releasable.isEmpty() && kept.isEmpty();
    }

    long preemptions() {
        return preemptions;
    }

    /** Ended sequences whose KV others are still to copy. */
    Set<Sequence> kept() {
        return kept;
    }

    Set<Sequence> draining() {
        return draining;
    }

    Set<Sequence> releasable() {
        return releasable;
    }
}
