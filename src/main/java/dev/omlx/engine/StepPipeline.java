package dev.omlx.engine;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.sched.Ending;
import dev.omlx.sched.Failure;
import dev.omlx.sched.Fallout;
import dev.omlx.sched.Scheduler;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import dev.omlx.sched.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes steps from plan to delivery. Where the device takes it they overlap: the next one is built and started before
 * the values of the one under way are read. A fault stays with whom it concerns: the sequence it names, the receiver of
 * a token, or the sequences of a step, among which the scheduler looks for the one to blame. What it throws means that
 * its own books are broken. Engine thread only.
 */
final class StepPipeline {
    private static final Logger LOG = LoggerFactory.getLogger(StepPipeline.class);

    private final Scheduler scheduler;
    private final LiveRequests live;
    private final Map<String, ModelRunner> runners = new HashMap<>();
    private @Nullable UnderWay underWay;
    private long lastHarvest;

    /** @param started when its graph began to be built: on the CPU most of a step is over once it is started */
    private record UnderWay(StepPlan plan, ModelRunner.BuiltStep step, long started) {}

    StepPipeline(Scheduler scheduler, LiveRequests live) {
        this.scheduler = scheduler;
        this.live = live;
    }

    void addRunner(String model, ModelRunner runner) {
        runners.put(model, runner);
    }

    /** Goes one step on, and says whether there may be more to do at once. */
    boolean step() {
        if (underWay != null && isToBeReadFirst(underWay)) {
            harvest();
        }
        UnderWay before = underWay;
        StepPlan plan = scheduler.plan(System.nanoTime());
        plan.failures().forEach(this::failed);
        underWay = plan.isEmpty() ? null : build(plan);
        start();
        if (before != null) {
            harvest(before);
        }
        boolean released = release();
        return !plan.isEmpty() || before != null || released || !plan.failures().isEmpty();
    }

    /**
     * Whether nothing is gained by planning in the dark: what is known already, or must be waited for anyway, or what the
     * next step cannot be built without.
     */
    private boolean isToBeReadFirst(UnderWay step) {
        return step.step.isReady()
                || !runner(step.plan.model()).queuesSteps()
                || step.plan.work().stream()
                        .anyMatch(work ->
                                work.sequence().attachment(Generation.class).decidesNext());
    }

    /** Waits for what is under way, and frees what has ended. */
    void settle() {
        harvest();
        release();
    }

    /** Frees the models, and all that is left of sequences. */
    void close() {
        runners.values().forEach(ModelRunner::close);
        runners.clear();
    }

    private @Nullable UnderWay build(StepPlan plan) {
        long now = System.nanoTime();
        ModelRunner runner = runner(plan.model());
        plan.sequences().forEach(sequence -> answerOf(sequence).started(now));
        ModelRunner.BuiltStep step;
        try {
            step = runner.build(plan);
        } catch (SequenceFault fault) {
            fail(fault.sequence(), fault);
            return null;
        } catch (RuntimeException fault) {
            step = new BrokenStep(fault);
        }
        scheduler.launched(plan);
        return new UnderWay(plan, step, now);
    }

    /** Starts what is built. */
    private void start() {
        UnderWay built = underWay;
        if (built == null) {
            return;
        }
        try {
            built.step.start();
        } catch (RuntimeException fault) {
            built.step.close();
            underWay = new UnderWay(built.plan, new BrokenStep(fault), built.started);
        }
    }

    private void harvest() {
        UnderWay done = underWay;
        underWay = null;
        if (done != null) {
            harvest(done);
        }
    }

    private void harvest(UnderWay done) {
        ModelRunner.Outcome outcome;
        try (ModelRunner.BuiltStep step = done.step) {
            outcome = step.read();
            outcome.requireRows(done.plan);
        } catch (RuntimeException fault) {
            fail(done.plan, fault);
            return;
        }
        long now = System.nanoTime();
        long nanos = now - Math.max(done.started, lastHarvest);
        lastHarvest = now;
        deliver(done.plan, outcome, nanos);
    }

    private void deliver(StepPlan plan, ModelRunner.Outcome outcome, long nanos) {
        outcome.scores().stream()
                .filter(scores -> !scores.sequence().finished())
                .forEach(this::deliver);
        Set<Sequence> stopped = new HashSet<>();
        List<Sequence> alive = new ArrayList<>();
        int row = 0;
        for (Work work : plan.work()) {
            Sequence sequence = work.sequence();
            int own = work.producesToken() ? row++ : -1;
            if (sequence.finished()) {
                continue;
            }
            alive.add(sequence);
            if (own >= 0 && accept(sequence, outcome, own)) {
                stopped.add(sequence);
            }
        }
        scheduler.harvested(plan, stopped, nanos);
        alive.forEach(this::deliverEnding);
    }

    private void deliver(PromptScores scores) {
        try {
            scores.sequence().attachment(Generation.class).score(scores);
        } catch (RuntimeException fault) {
            fail(scores.sequence(), fault);
        }
    }

    /** @return whether the token ends the answer */
    private boolean accept(Sequence sequence, ModelRunner.Outcome outcome, int row) {
        try {
            return sequence.attachment(Generation.class)
                    .accept(
                            outcome.tokens()[row],
                            outcome.logprobs() == null
                                    ? null
                                    : outcome.logprobs().get(row));
        } catch (RuntimeException fault) {
            fail(sequence, fault);
            return false;
        }
    }

    private void deliverEnding(Sequence sequence) {
        Ending ending = sequence.ending();
        if (ending == Ending.STOPPED || ending == Ending.LENGTH) {
            sequence.attachment(Generation.class)
                    .finished(ending == Ending.STOPPED ? FinishReason.STOP : FinishReason.LENGTH);
        }
    }

    private boolean release() {
        List<Sequence> released = scheduler.takeReleasable();
        for (Sequence sequence : released) {
            runner(sequence.model()).release(sequence);
            if (sequence.finished()) {
                live.forgetIfOver(answerOf(sequence));
            }
        }
        return !released.isEmpty();
    }

    private void failed(Failure failure) {
        live.fail(
                answerOf(failure.sequence()), new EngineException.OutOfMemory(failure.reason(), Duration.ofSeconds(1)));
    }

    /** A fault that concerns one sequence. */
    private void fail(Sequence sequence, RuntimeException cause) {
        LOG.error("sequence {} failed", sequence.id(), cause);
        live.fail(answerOf(sequence), new EngineException.Failed("the model could not compute the answer", cause));
    }

    /** A fault of a step under way, which takes along the step on top of it. */
    private void fail(StepPlan plan, RuntimeException cause) {
        LOG.error(
                "step {} failed, which computed {} sequences",
                plan.number(),
                plan.work().size(),
                cause);
        Fallout fallout = scheduler.failed(plan);
        if (underWay != null && fallout.voided().contains(underWay.plan)) {
            underWay.step.close();
            underWay = null;
        }
        fallout.ended().forEach(sequence -> fail(sequence, cause));
    }

    private static Answer answerOf(Sequence sequence) {
        return sequence.attachment(Generation.class).answer();
    }

    private ModelRunner runner(String model) {
        ModelRunner runner = runners.get(model);
        if (runner == null) {
            throw new IllegalStateException("no runner for model " + model);
        }
        return runner;
    }
}
