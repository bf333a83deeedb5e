package dev.omlx.sched;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether a waiting sequence may start: there must be a place in the batch, and memory for what it is about to
 * compute (its known tokens and the next one, however many it may generate), with a growth step to spare for everybody
 * if it is not alone. When the oldest one does not fit, only so many others may overtake it.
 */
final class AdmissionGate {
    private final SchedulerConfig config;
    private final Lanes lanes;
    private final KvLedger kv;
    private final Departures departures;
    private final QueueDelay delay;

    private @Nullable Sequence blocked;
    private int overtakers;

    AdmissionGate(SchedulerConfig config, Lanes lanes, KvLedger kv, Departures departures, QueueDelay delay) {
        this.config = config;
        this.lanes = lanes;
        this.kv = kv;
        this.departures = departures;
        this.delay = delay;
    }

    /** Sequences that may still join the lane's batch. */
    int places(Lane lane) {
        return Math.max(0, config.maxBatchSize() - lane.running());
    }

    /**
     * Starts a sequence if it may; fails it if it does not fit with nothing beside it.
     *
     * @param oldest whether it is the oldest of its lane
     */
    boolean admit(StepBuilder step, Sequence sequence, boolean oldest) {
        Lane lane = step.lane();
        if (oldest) {
            forgetBlockedBehind(sequence);
        }
        if (places(lane) == 0 || !mayOvertake(sequence)) {
            return false;
        }
        int tokens = sequence.knownTokens() + 1;
        if (!kv.reserve(sequence, tokens, headroom(sequence, tokens))) {
            if (departures.dropKept()) {
                return false;
            }
            if (kv.held() == 0) {
                step.fail(kv.failure(sequence, tokens, kv.budget()));
                departures.finish(sequence, Ending.FAILED);
            } else if (oldest && blocked == null) {
                blocked = sequence;
                overtakers = 0;
            }
            return false;
        }
        if (blocked == sequence) {
            blocked = null;
        } else if (blocked != null) {
            overtakers++;
        }
        if (!sequence.started()) {
            delay.observe(sequence.placeInQueue(), step.nowNanos() - sequence.arrivalNanos());
        }
        lane.start(sequence);
        return true;
    }

    /** One that has ended blocks nobody, nor does one that is not the oldest of its lane any more. */
    private void forgetBlockedBehind(Sequence oldest) {
        if (blocked != null && blocked != oldest && blocked.model().equals(oldest.model())) {
            blocked = null;
        }
    }

    private boolean mayOvertake(Sequence sequence) {
        if (blocked != null && blocked.finished()) {
            blocked = null;
        }
        return blocked == null || blocked == sequence || overtakers < config.maxBatchSize();
    }

    /** A growth step for each sequence that runs, and for the new one if it does not run alone. */
    private long headroom(Sequence newcomer, int tokens) {
        long bytes = lanes.running() == 0 ? 0 : kv.nextGrowth(newcomer, tokens);
        for (Lane lane : lanes.all()) {
            for (Sequence sequence : lane.runningSequences()) {
                bytes += kv.nextGrowth(sequence, sequence.reservedTokens());
            }
        }
        return bytes;
    }
}
