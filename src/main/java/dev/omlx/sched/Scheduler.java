package dev.omlx.sched;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides what each step computes. The engine's loop calls, on its one thread:
 *
 * <pre>
 * add, finish             as requests come and go
 * plan                    what step N + 1 computes; step N may still be in flight
 * launched                the plan is on its way to the device
 * harvested               step N's tokens were read
 * takeReleasable          whose KV memory the engine frees now
 * </pre>
 *
 * Planning ahead is optimistic: it takes for granted that a sequence goes on. If the harvest of step N ends it, its row
 * of step N + 1 is computed in vain and its token dropped. Steps are harvested in the order they were launched. An empty
 * plan means: harvest what is in flight, else release what is releasable, else wait for the next command.
 */
public final class Scheduler {
    /** A step of prefill that takes longer than so many latency targets is not planned past: newcomers come first. */
    private static final int LONG_STEP = 2;

    private final SchedulerConfig config;
    private final Lanes lanes = new Lanes();
    private final QueueDelay delay = new QueueDelay();
    private final StepsInFlight inFlight = new StepsInFlight();
    private final KvLedger kv;
    private final SharedPrefixes shared;
    private final Departures departures;
    private final MemoryPressure pressure;
    private final AdmissionGate gate;
    private final DecodePlanner decodePlanner = new DecodePlanner();
    private final PrefillPlanner prefillPlanner;
    private final SoloPlanner soloPlanner;

    private long tickets;
    private long plans;
    private long droppedTokens;
    private boolean draining;

    public Scheduler(SchedulerConfig config, KvMemory memory) {
        this.config = config;
        kv = new KvLedger(memory, config.kvGrowthTokens());
        shared = new SharedPrefixes(lanes);
        departures = new Departures(lanes, kv, shared);
        pressure = new MemoryPressure(lanes, kv, departures);
        gate = new AdmissionGate(config, lanes, kv, departures, delay);
        PrefixClaims prefixes = new PrefixClaims(memory);
        prefillPlanner = new PrefillPlanner(config, gate, prefixes);
        soloPlanner = new SoloPlanner(config, gate, prefixes);
    }

    /**
     * Queues a new sequence, or says why not.
     *
     * @throws IllegalArgumentException if the sequence was added before
     */
    public Admission add(Sequence sequence) {
        if (sequence.accepted() || sequence.finished()) {
            throw new IllegalArgumentException("was added before: " + sequence);
        }
        Lane lane = lanes.of(sequence);
        int tokens = sequence.promptTokens() + 1;
        if (draining) {
            return new Admission.Draining();
        }
        if (kv.bytes(sequence, tokens) > kv.limit()) {
            return new Admission.TooLarge(kv.failure(sequence, tokens, kv.limit()));
        }
        int waiting = lanes.waiting();
        if (waiting >= config.queueLimit() + gate.places(lane)) {
            return new Admission.QueueFull(waiting, delay.retryAfter(waiting));
        }
        lanes.wake(lane);
        sequence.accept(tickets++, config.priorityHeadStart().toNanos(), waiting);
        shared.add(sequence);
        lane.enqueue(sequence);
        return new Admission.Accepted();
    }

    /** Ends a sequence nobody wants any more; see {@link #finish}. */
    public boolean abort(Sequence sequence) {
        return finish(sequence, Ending.ABORTED);
    }

    /**
     * Ends a sequence at once, wherever it is: no later plan holds it, and tokens in flight for it are dropped.
     *
     * @return whether it was alive
     */
    public boolean finish(Sequence sequence, Ending ending) {
        if (!sequence.accepted() || sequence.finished()) {
            return false;
        }
        departures.finish(sequence, ending);
        return true;
    }

    /** The sequences of a model that have not ended, in no order. */
    public List<Sequence> live(String model) {
        Lane lane = lanes.of(model);
        List<Sequence> live = new ArrayList<>(lane.waitingSequences());
        live.addAll(lane.runningSequences());
        for (Set<Sequence> departing : List.of(departures.draining(), departures.releasable())) {
            departing.stream()
                    .filter(s -> s.model().equals(model) && !s.finished())
                    .forEach(live::add);
        }
        return live;
    }

    /** Takes no new sequences from here on. Those accepted go on to their end, waiting ones included. */
    public void drain() {
        draining = true;
    }

    /** Whether every accepted sequence has ended and was released, and no step is in flight. */
    public boolean isIdle() {
        return inFlight.isEmpty() && departures.isEmpty() && lanes.inTurn().isEmpty();
    }

    /** What the next step should compute, given all that is in flight. */
    public StepPlan plan(long nowNanos) {
        List<Failure> failures = new ArrayList<>();
        if (inFlight.all().stream().noneMatch(this::isNotPlannedPast)) {
            long prefillNanos = config.prefillNanos(lanes.decodeRoundNanos());
            for (Lane lane : lanes.inTurn()) {
                StepBuilder step = new StepBuilder(lane, kv, nowNanos, failures);
                fill(step, prefillNanos);
                if (!step.isEmpty()) {
                    StepPlan plan = step.build(plans);
                    if (plan.isSolo() && !inFlight.isEmpty()) {
                        // it gets the device to itself as soon as what is in flight is over
                        break;
                    }
                    plans++;
                    lane.count(plan);
                    return plan;
                }
            }
        }
        return new StepPlan(plans++, "", List.of(), StepShape.EMPTY, 0, failures);
    }

    private void fill(StepBuilder step, long prefillNanos) {
        boolean tight = pressure.relieve(step);
        Quarantine quarantine = step.lane().quarantine();
        boolean soloFirst = quarantine.isDue();
        if (soloFirst) {
            soloPlanner.plan(step, prefillLimit(step, prefillNanos));
        }
        if (step.isEmpty()) {
            fillTogether(step, prefillNanos, !tight && quarantine.waiting().isEmpty());
        }
        if (step.isEmpty() && !soloFirst) {
            soloPlanner.plan(step, prefillLimit(step, prefillNanos));
        }
    }

    private void fillTogether(StepBuilder step, long prefillNanos, boolean admit) {
        Lane.Round round = step.lane().round();
        decodePlanner.plan(step, round);
        int rows = step.shape().decodeRows();
        // how fast the rows decode by themselves must be known before prefill may slow them down
        if (step.lane().hasPrefill() && (rows == 0 || step.costs().knowsDecode(rows))) {
            prefillPlanner.plan(step, prefillLimit(step, prefillNanos / round.steps()), admit);
        }
    }

    /** What a step may take that already holds its decoding rows, if prefill joins them. */
    private long prefillLimit(StepBuilder step, long prefillNanos) {
        return lanes.anyDecoding()
                ? step.costs().predict(step.shape()) + prefillNanos / Math.max(1, lanes.withPrefill())
                : config.maxStepTime().toNanos();
    }

    private boolean isNotPlannedPast(StepPlan step) {
        boolean isLong = step.shape().decodeRows() == 0
                && step.predictedNanos()
                        > LONG_STEP * config.decodeLatencyTarget().toNanos();
        return isLong || step.isSolo();
    }

    /**
     * The plan is on its way: later plans take its work for done.
     *
     * @throws IllegalStateException if one of its sequences has ended or moved on since it was made
     */
    public void launched(StepPlan plan) {
        for (Work work : plan.work()) {
            if (!work.sequence().canLaunch(work)) {
                throw new IllegalStateException("stale plan: " + work);
            }
        }
        Lane lane = lanes.of(plan.model());
        for (Work work : plan.work()) {
            Sequence sequence = work.sequence();
            if (work.source() != null) {
                departures.copied(sequence);
            }
            sequence.launch(work);
            if (sequence.state() == SequenceState.DECODE) {
                lane.promote(sequence);
            }
            shared.launched(sequence);
        }
        lane.use(plan.predictedNanos());
        inFlight.add(plan);
    }

    /**
     * The oldest step in flight is over. Each live sequence that produces a token in it has one more; one that has all
     * it asked for ends by itself.
     *
     * @param stopped sequences of the plan that end with this token
     * @param nanos what the step took: time since the step before it was over, or since its launch if that was later
     * @throws IllegalStateException if it is not the oldest step in flight
     * @throws IllegalArgumentException if a stopped sequence is not in it
     */
    public void harvested(StepPlan plan, Set<Sequence> stopped, long nanos) {
        inFlight.remove(plan);
        Lane lane = lanes.of(plan.model());
        for (Work work : plan.work()) {
            Sequence sequence = work.sequence();
            sequence.settle(work);
            departures.settled(sequence);
            if (plan.work().size() == 1 && sequence.suspicion().clear(work)) {
                lane.clear(sequence);
            }
            if (sequence.finished()) {
                droppedTokens += work.producesToken() ? 1 : 0;
            } else if (stopped.contains(sequence)) {
                departures.finish(sequence, Ending.STOPPED);
            } else if (sequence.complete()) {
                departures.finish(sequence, Ending.LENGTH);
            }
        }
        if (!stopped.stream().allMatch(Sequence::finished)) {
            throw new IllegalArgumentException("not all of step " + plan.number() + ": " + stopped);
        }
        lane.costs().observe(plan.shape(), nanos);
        lane.use(nanos - plan.predictedNanos());
    }

    /**
     * The oldest step in flight failed, and with it those launched since that build on it. A sequence that was alone in
     * it is to blame and ends. Of several nobody knows which, so all become suspects: they lose their KV cache, keep the
     * tokens they have, and are computed anew, each alone until it got past the point of failure.
     *
     * @throws IllegalStateException if it is not the oldest step in flight
     */
    public Fallout failed(StepPlan plan) {
        inFlight.remove(plan);
        List<StepPlan> voided = inFlight.removeBuiltOn(plan);
        Sequence first = plan.work().getFirst().sequence();
        boolean ends = plan.work().size() == 1 && finish(first, Ending.FAILED);
        distrust(plan);
        voided.forEach(this::distrust);
        return new Fallout(ends ? List.of(first) : List.of(), voided);
    }

    private void distrust(StepPlan plan) {
        for (Work work : plan.work()) {
            Sequence sequence = work.sequence();
            departures.distrust(sequence, work.endPosition());
            sequence.drop(work);
            departures.settled(sequence);
        }
    }

    /**
     * Sequences whose KV memory the engine must free now: ended ones, which are done with and come here exactly once,
     * and {@link SequenceState#PREEMPTED} ones, which wait again from here on. No step in flight touches them, and
     * {@code min(computedTokens, knownTokens)} of their positions hold valid KV that a cache may keep (not for {@link
     * Ending#FAILED} nor {@linkplain Sequence#isSpoiled spoiled} ones), as long as {@link KvMemory#budget} counts it.
     */
    public List<Sequence> takeReleasable() {
        List<Sequence> released = departures.take();
        for (Sequence sequence : released) {
            if (!sequence.finished()) {
                Lane lane = lanes.of(sequence);
                lanes.wake(lane);
                lane.enqueue(sequence);
            }
        }
        return released;
    }

    /** What a model's steps cost, as learnt so far. */
    public CostModel costs(String model) {
        return lanes.of(model).costs();
    }

    public SchedulerStats stats() {
        Map<String, LaneStats> models = new HashMap<>();
        for (Lane lane : lanes.all()) {
            models.put(lane.model(), lane.stats());
        }
        int departing = departures.draining().size()
                + departures.releasable().size()
                + departures.kept().size();
        Duration queueDelay = delay.behind(lanes.waiting());
        return new SchedulerStats(
                models,
                departing,
                inFlight.count(),
                inFlight.tokens(),
                departures.preemptions(),
                droppedTokens,
                kv.held(),
                kv.budget(),
                queueDelay);
    }

    /**
     * Checks the books: every sequence on exactly one list and in the state of that list, steps in flight and memory
     * adding up. For tests and debugging; takes time in proportion to the number of sequences.
     *
     * @throws IllegalStateException naming what does not add up
     */
    public void checkIntegrity() {
        new IntegrityCheck(lanes, departures, shared, kv, inFlight.all(), config).run();
    }
}
