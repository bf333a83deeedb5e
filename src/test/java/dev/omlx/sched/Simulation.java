package dev.omlx.sched;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * An engine loop without an engine, one step ahead, on a clock of its own. It checks the scheduler's books after every
 * call and the rules of every plan.
 */
final class Simulation {
    final SchedulerConfig config;
    final SimulatedMemory memory;
    final Scheduler scheduler;
    final List<StepPlan> launched = new ArrayList<>();
    final List<Request> requests = new ArrayList<>();

    private final Queue<Request> arrivals = new PriorityQueue<>(
            Comparator.<Request>comparingLong(request -> request.arrival).thenComparingInt(request -> request.number));
    private final Set<Request> live = new HashSet<>();
    private final List<Consumer<StepPlan>> rules = new ArrayList<>();
    private ToLongFunction<StepShape> cost;
    private Function<StepPlan, @Nullable Sequence> buildFailure = plan -> null;
    private Predicate<StepPlan> stepFailure = plan -> false;
    private @Nullable StepPlan inFlight;
    private final Set<Sequence> blamed = new HashSet<>();
    private final Map<Sequence, Integer> kvTokens = new HashMap<>();
    private boolean aheadOfHarvest = true;
    private long now;

    Simulation(SchedulerConfig config, SimulatedMemory memory, ToLongFunction<StepShape> cost) {
        this.config = config;
        this.memory = memory;
        this.cost = cost;
        scheduler = new Scheduler(config, memory);
        rules.add(this::checkPlan);
        rules.add(this::checkSuspects);
    }

    static Simulation of(SchedulerConfig config, SimulatedMemory memory, SimulatedDevice device) {
        return new Simulation(config, memory, device::nanos);
    }

    static Simulation of(SchedulerConfig config, SimulatedDevice device) {
        return of(config, SimulatedMemory.plenty(), device);
    }

    /** Plans a step only when the one before is harvested. */
    Simulation inLockStep() {
        aheadOfHarvest = false;
        return this;
    }

    /** Also checks each plan that is launched. */
    Simulation rule(Consumer<StepPlan> rule) {
        rules.add(rule);
        return this;
    }

    /** Building a step may fail, and names the sequence whose fault it is. */
    Simulation failingBuild(Function<StepPlan, @Nullable Sequence> culprit) {
        buildFailure = culprit;
        return this;
    }

    /** A launched step may fail as a whole. */
    Simulation failingStep(Predicate<StepPlan> fails) {
        stepFailure = fails;
        return this;
    }

    void cost(ToLongFunction<StepShape> newCost) {
        cost = newCost;
    }

    long now() {
        return now;
    }

    /** Shows the cost model steps of all kinds, so that it predicts well from the start. */
    Simulation warm(String model) {
        CostModel costs = scheduler.costs(model);
        for (int round = 0; round < 4; round++) {
            for (int rows = 1; rows <= config.maxBatchSize(); rows++) {
                for (int context = 50; context <= 3200; context *= 4) {
                    observe(costs, new StepShape(rows, (long) rows * context, 0, 0));
                }
            }
            for (int tokens = 8; tokens <= config.prefillChunkSize(); tokens *= 2) {
                for (int start = 0; start <= 6000; start += 2000) {
                    observe(costs, StepShape.EMPTY.plusPrefill(start, tokens));
                    observe(costs, new StepShape(4, 2000, 0, 0).plusPrefill(start, tokens));
                }
            }
        }
        return this;
    }

    private void observe(CostModel costs, StepShape shape) {
        costs.observe(shape, cost.applyAsLong(shape));
    }

    Request request(String id) {
        Request request = new Request(id);
        request.at(now);
        return request;
    }

    /** Lets requests arrive when their time has come. */
    Simulation submit(Request... newcomers) {
        for (Request request : newcomers) {
            request.number = requests.size();
            requests.add(request);
            arrivals.add(request);
        }
        return this;
    }

    /** Runs until every request has ended and everything is released. */
    Simulation run() {
        runUntil(this::isOver);
        return this;
    }

    boolean isOver() {
        return arrivals.isEmpty() && live.isEmpty() && scheduler.isIdle();
    }

    void runUntil(BooleanSupplier done) {
        for (int i = 0; !done.getAsBoolean(); i++) {
            if (i > 200_000) {
                throw new AssertionError("no end in sight: " + live + " " + scheduler.stats());
            }
            iterate();
        }
    }

    void iterate(int times) {
        for (int i = 0; i < times; i++) {
            iterate();
        }
    }

    /** One turn of the engine's loop. */
    void iterate() {
        deliver();
        StepPlan next = aheadOfHarvest || inFlight == null ? plan() : null;
        if (next != null && !next.isEmpty() && !launch(next)) {
            next = null;
        }
        boolean harvested = inFlight != null;
        if (inFlight != null) {
            StepPlan over = inFlight;
            inFlight = null;
            if (next != null && harvest(over).contains(next)) {
                next = null;
            } else if (next == null) {
                harvest(over);
            }
        }
        if (next != null && !next.isEmpty()) {
            inFlight = next;
        }
        boolean released = release() > 0;
        if (!harvested && inFlight == null && !released) {
            sleep();
        }
    }

    StepPlan plan() {
        long before = scheduler.stats().kvReservedBytes();
        StepPlan plan = scheduler.plan(now);
        scheduler.checkIntegrity();
        SchedulerStats stats = scheduler.stats();
        long reserved = stats.kvReservedBytes();
        require(reserved <= before || reserved <= stats.kvBudgetBytes(), "more memory than there is", stats);
        for (Failure failure : plan.failures()) {
            Request request = failure.sequence().attachment(Request.class);
            request.failure = failure;
        }
        return plan;
    }

    /** Whether it could be built. */
    boolean launch(StepPlan plan) {
        rules.forEach(rule -> rule.accept(plan));
        Sequence culprit = buildFailure.apply(plan);
        if (culprit != null) {
            blamed.add(culprit);
            scheduler.finish(culprit, Ending.FAILED);
            scheduler.checkIntegrity();
            return false;
        }
        plan.work().forEach(this::compute);
        scheduler.launched(plan);
        scheduler.checkIntegrity();
        launched.add(plan);
        return true;
    }

    /** Sequences whose own fault a failure was: named, or alone in a step that failed. */
    Set<Sequence> blamed() {
        return blamed;
    }

    /** Ends a step, and says which steps in flight are void. */
    List<StepPlan> harvest(StepPlan plan) {
        long nanos = cost.applyAsLong(plan.shape());
        now += nanos;
        if (stepFailure.test(plan)) {
            Fallout fallout = scheduler.failed(plan);
            scheduler.checkIntegrity();
            require(fallout.ended().isEmpty() || plan.work().size() == 1, "ended without proof", plan);
            blamed.addAll(fallout.ended());
            return fallout.voided();
        }
        Set<Sequence> stopped = new HashSet<>();
        for (Work work : plan.work()) {
            Request request = work.sequence().attachment(Request.class);
            if (work.producesToken() && !work.sequence().finished()) {
                request.tokenTimes.add(now);
                if (request.tokens() == request.stopAfter) {
                    stopped.add(work.sequence());
                }
            }
        }
        scheduler.harvested(plan, stopped, nanos);
        scheduler.checkIntegrity();
        return List.of();
    }

    private void compute(Work work) {
        Sequence source = work.source();
        if (source != null) {
            require(kvTokens.getOrDefault(source, 0) >= work.startPosition(), "copies what is not there", work);
            require(!kvTokens.containsKey(work.sequence()), "copies over its own", work);
        } else if (kvTokens.containsKey(work.sequence())) {
            require(kvTokens.get(work.sequence()) == work.startPosition(), "does not go on where it was", work);
        }
        kvTokens.put(work.sequence(), work.endPosition());
    }

    /** Tokens that all steps computed in chunks of prefill. */
    int prefilledTokens() {
        return launched.stream().mapToInt(plan -> plan.shape().prefillTokens()).sum();
    }

    private int release() {
        List<Sequence> released = scheduler.takeReleasable();
        scheduler.checkIntegrity();
        for (Sequence sequence : released) {
            Request request = sequence.attachment(Request.class);
            memory.release(sequence);
            kvTokens.remove(sequence);
            if (sequence.finished()) {
                request.finishedReleases++;
                live.remove(request);
            } else if (sequence.isSpoiled()) {
                request.suspicions++;
            } else {
                request.preemptions++;
            }
        }
        return released.size();
    }

    private void deliver() {
        while (!arrivals.isEmpty() && arrivals.peek().arrival <= now) {
            Request request = arrivals.remove();
            request.sequence = new Sequence(
                    new SequenceSpec(
                            request.id,
                            request.model,
                            request.priority,
                            request.arrival,
                            request.prompt,
                            request.expectedCached,
                            request.maxNew),
                    request);
            if (request.leader != null && request.leader.sequence != null) {
                request.sequence.awaits(request.leader.sequence, request.sharedTokens);
            }
            request.admission = scheduler.add(request.sequence);
            if (request.accepted()) {
                live.add(request);
            }
            scheduler.checkIntegrity();
        }
        for (Request request : List.copyOf(live)) {
            if (request.abortAt <= now) {
                scheduler.abort(request.sequence());
                scheduler.checkIntegrity();
            }
        }
    }

    private void sleep() {
        long next = Long.MAX_VALUE;
        if (!arrivals.isEmpty()) {
            next = arrivals.peek().arrival;
        }
        for (Request request : live) {
            next = Math.min(next, request.abortAt);
        }
        // a thing under way, such as a prefix on its way from disk, may be there in a millisecond
        now = Math.max(now + 1, live.isEmpty() ? next : Math.min(next, now + 1_000_000));
    }

    private void checkPlan(StepPlan plan) {
        Set<Sequence> seen = new HashSet<>();
        int rows = 0;
        int prefill = 0;
        for (Work work : plan.work()) {
            Sequence sequence = work.sequence();
            require(seen.add(sequence), "twice in a step", work);
            require(sequence.model().equals(plan.model()), "of another model", work);
            require(sequence.running(), "not running", work);
            require(work.startPosition() == sequence.computedTokens(), "a gap", work);
            require(work.tokenCount() > 0, "nothing to do", work);
            require(
                    work.startPosition() + work.tokenCount() <= sequence.reservedTokens(),
                    "more than its memory",
                    work);
            require(
                    memory.holdsClaim(sequence) || work.source() != null || kvTokens.containsKey(sequence),
                    "no prefix claimed",
                    work);
            if (sequence.state() == SequenceState.DECODE) {
                rows++;
                require(prefill == 0, "a row behind prefill", work);
                require(work.tokenCount() == 1 && work.producesToken(), "a row with more than one token", work);
            } else {
                prefill += work.tokenCount();
                boolean last = work.startPosition() + work.tokenCount() == sequence.knownTokens();
                require(work.producesToken() == (last && sequence.maxNewTokens() > 0), "a token out of turn", work);
            }
        }
        require(rows == plan.shape().decodeRows(), "wrong shape", plan);
        require(prefill == plan.shape().prefillTokens(), "wrong shape", plan);
        require(plan.work().size() <= config.maxBatchSize(), "too many sequences", plan);
        require(prefill <= config.prefillChunkSize(), "too much prefill", plan);
    }

    private void checkSuspects(StepPlan plan) {
        boolean suspects = plan.sequences().stream().anyMatch(Sequence::isSuspect);
        require(!suspects || plan.work().size() == 1, "a suspect in company", plan);
        require(!suspects || inFlight == null, "a suspect beside a step in flight", plan);
        require(plan.isEmpty() || inFlight == null || !inFlight.isSolo(), "a step beside a suspect's", plan);
    }

    static void require(boolean holds, String what, Object about) {
        if (!holds) {
            throw new AssertionError(what + ": " + about);
        }
    }
}
