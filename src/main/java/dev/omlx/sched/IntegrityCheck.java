package dev.omlx.sched;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Compares the scheduler's books with each other. */
final class IntegrityCheck {
    private final Lanes lanes;
    private final Departures departures;
    private final SharedPrefixes shared;
    private final KvLedger kv;
    private final Collection<StepPlan> inFlight;
    private final SchedulerConfig config;
    private final Set<Sequence> seen = new HashSet<>();
    private final Map<Sequence, Integer> steps = new HashMap<>();
    private final Map<Sequence, Integer> samples = new HashMap<>();
    private long reserved;
    private long leaving;

    IntegrityCheck(
            Lanes lanes,
            Departures departures,
            SharedPrefixes shared,
            KvLedger kv,
            Collection<StepPlan> inFlight,
            SchedulerConfig config) {
        this.lanes = lanes;
        this.departures = departures;
        this.shared = shared;
        this.kv = kv;
        this.inFlight = inFlight;
        this.config = config;
    }

    void run() {
        for (StepPlan step : inFlight) {
            for (Work work : step.work()) {
                steps.merge(work.sequence(), 1, Integer::sum);
                samples.merge(work.sequence(), work.producesToken() ? 1 : 0, Integer::sum);
            }
        }
        for (Lane lane : lanes.all()) {
            visit(lane);
        }
        for (Sequence sequence : departures.draining()) {
            visit(sequence, sequence.finished() || sequence.state() == SequenceState.PREEMPTED);
            require(sequence.stepsInFlight() > 0, "draining with nothing in flight", sequence);
            leaving += sequence.reservedBytes();
        }
        for (Sequence sequence : departures.releasable()) {
            visit(sequence, sequence.finished() || sequence.state() == SequenceState.PREEMPTED);
            require(sequence.stepsInFlight() == 0, "releasable while in flight", sequence);
            leaving += sequence.reservedBytes();
        }
        for (Sequence sequence : departures.kept()) {
            visit(sequence, sequence.finished());
            require(shared.isAwaited(sequence), "kept for nobody", sequence);
        }
        shared.all().forEach((leader, followers) -> {
            require(seen.contains(leader), "a leader that is nowhere", leader);
            for (Sequence follower : followers) {
                require(follower.leader() == leader, "follows another one", follower);
                require(seen.contains(follower) && !follower.finished(), "a follower that is nowhere", follower);
            }
        });
        require(seen.containsAll(steps.keySet()), "steps in flight for sequences that are nowhere", steps.keySet());
        require(reserved == kv.held(), "KV account of " + kv.held() + " bytes, sequences hold", reserved);
        require(leaving == kv.leaving(), "KV account of " + kv.leaving() + " leaving bytes, sequences hold", leaving);
    }

    private void visit(Lane lane) {
        for (Sequence sequence : lane.waiting().all()) {
            visit(sequence, sequence.state() == SequenceState.WAITING || sequence.state() == SequenceState.PREEMPTED);
            requireNothingHeld(sequence);
            require(!sequence.isSuspect(), "a suspect among the others", sequence);
            require(!sequence.isAwaiting(), "may not start yet", sequence);
        }
        for (Sequence sequence : lane.awaiting()) {
            visit(sequence, sequence.state() == SequenceState.WAITING || sequence.state() == SequenceState.PREEMPTED);
            requireNothingHeld(sequence);
            require(sequence.isAwaiting() && !sequence.isSuspect(), "awaits nobody", sequence);
        }
        for (Sequence sequence : lane.prefilling()) {
            visit(sequence, sequence.state() == SequenceState.PREFILL);
            require(!sequence.isSuspect(), "a suspect among the others", sequence);
            require(sequence.remainingTokens() > 0, "prefilling with nothing left", sequence);
        }
        for (Sequence sequence : lane.decoding()) {
            visit(sequence, sequence.state() == SequenceState.DECODE);
            require(!sequence.isSuspect(), "a suspect among the others", sequence);
        }
        for (Sequence sequence : lane.quarantine().inTurn()) {
            visit(sequence, sequence.running() || sequence.state() == SequenceState.PREEMPTED);
            require(sequence.isSuspect(), "in quarantine without suspicion", sequence);
            if (!sequence.running()) {
                requireNothingHeld(sequence);
            }
        }
        require(lane.running() <= config.maxBatchSize(), "batch is larger than allowed", lane.running());
    }

    private static void requireNothingHeld(Sequence sequence) {
        require(sequence.stepsInFlight() == 0, "waiting while in flight", sequence);
        require(sequence.reservedBytes() == 0, "waiting with memory", sequence);
    }

    private void visit(Sequence sequence, boolean stateFits) {
        require(seen.add(sequence), "on two lists", sequence);
        require(stateFits, "on the wrong list", sequence);
        require(sequence.stepsInFlight() == steps.getOrDefault(sequence, 0), "wrong steps in flight", sequence);
        require(sequence.samplesInFlight() == samples.getOrDefault(sequence, 0), "wrong samples in flight", sequence);
        require(sequence.generatedTokens() <= sequence.maxNewTokens(), "too many tokens", sequence);
        require(
                !sequence.running() || sequence.computedTokens() <= sequence.reservedTokens(),
                "computed past its memory",
                sequence);
        reserved += sequence.reservedBytes();
    }

    private static void require(boolean holds, String what, Object about) {
        if (!holds) {
            throw new IllegalStateException("scheduler's books: " + what + ": " + about);
        }
    }
}
