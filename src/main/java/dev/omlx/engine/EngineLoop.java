package dev.omlx.engine;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.sched.Ending;
import dev.omlx.sched.Failure;
import dev.omlx.sched.KvMemory;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.sched.SchedulerStats;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import dev.omlx.sched.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The engine thread: the single worker of a Reactor scheduler, and the owner of MLX, all runners and the scheduler's
 * state. A turn takes the commands that came in and does one step; it schedules the next turn while there is work, and
 * the thread parks when there is none. Steps overlap: the next one is built and launched before the values of the one
 * under way are read.
 *
 * <p>The methods that other threads call say so; all others are the engine thread's.
 */
final class EngineLoop implements Answer.Aborter {
    static final String THREAD = "mlx-engine";
    static final String SHUTTING_DOWN = "the server is shutting down";

    private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);
    private static final Duration HEARTBEAT = Duration.ofMillis(200);

    private final Scheduler reactor = Schedulers.newSingle(task -> new Thread(task, THREAD));
    private final Scheduler.Worker worker = reactor.createWorker();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    private final dev.omlx.sched.Scheduler scheduler;
    private final Map<String, ModelRunner> runners = new HashMap<>();
    private final LiveRequests live;
    private @Nullable UnderWay underWay;
    private long lastHarvest;

    private volatile Phase phase = Phase.STARTING;
    private volatile @Nullable String failure;
    private volatile long heartbeat = System.nanoTime();
    private volatile @Nullable SchedulerStats stats;

    private record UnderWay(StepPlan plan, ModelRunner.LaunchedStep step, long launched) {}

    EngineLoop(SchedulerConfig config, KvMemory memory) {
        scheduler = new dev.omlx.sched.Scheduler(config, memory);
        live = new LiveRequests(scheduler);
        long period = HEARTBEAT.toMillis();
        worker.schedulePeriodically(() -> heartbeat = System.nanoTime(), period, period, TimeUnit.MILLISECONDS);
    }

    // --- any thread

    Phase phase() {
        return phase;
    }

    @Nullable
    String failure() {
        return failure;
    }

    Duration sinceHeartbeat() {
        return Duration.ofNanos(System.nanoTime() - heartbeat);
    }

    /** The scheduler's books after the last turn; null before the first. */
    @Nullable
    SchedulerStats stats() {
        return stats;
    }

    /** Runs something on the engine thread, between steps. */
    <T> CompletableFuture<T> call(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        execute(() -> {
            try {
                result.complete(task.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /** Hands over a request; its answer hears whether it is accepted. */
    void submit(Answer answer, List<Sequence> sequences) {
        execute(() -> add(answer, sequences));
    }

    @Override
    public void abort(Answer answer) {
        execute(() -> live.abort(answer));
    }

    @Override
    public void abort(Answer answer, int choice) {
        execute(() -> live.abort(answer, choice));
    }

    /** Takes no new requests from now on; those there have so much time to end, then they fail. */
    void drain(Duration patience) {
        execute(() -> {
            if (phase == Phase.READY) {
                phase = Phase.DRAINING;
            }
            scheduler.drain();
        });
        worker.schedule(() -> execute(() -> live.failAll(shuttingDown())), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends what is left, frees everything and ends the thread. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        execute(() -> {
            try {
                shutDown();
                closed.complete(null);
            } catch (RuntimeException | Error e) {
                closed.completeExceptionally(e);
            }
        });
        return closed.whenComplete((nothing, error) -> reactor.dispose());
    }

    private void execute(Runnable command) {
        commands.add(command);
        wake();
    }

    private void wake() {
        if (scheduled.compareAndSet(false, true)) {
            worker.schedule(this::turn);
        }
    }

    // --- the engine thread

    void ready() {
        phase = Phase.READY;
    }

    void addRunner(String model, ModelRunner runner) {
        runners.put(model, runner);
    }

    private void turn() {
        heartbeat = System.nanoTime();
        boolean more = false;
        try {
            runCommands();
            more = phase != Phase.STOPPED && phase != Phase.FAILED && step();
            stats = scheduler.stats();
        } catch (RuntimeException | Error e) {
            crash(e);
        }
        if (more || !commands.isEmpty()) {
            worker.schedule(this::turn);
            return;
        }
        scheduled.set(false);
        if (!commands.isEmpty()) {
            wake();
        }
    }

    private void runCommands() {
        Runnable command;
        boolean any = false;
        while ((command = commands.poll()) != null) {
            command.run();
            any = true;
        }
        if (any) {
            // not only after the step, which may take long
            stats = scheduler.stats();
        }
    }

    /** @return whether there may be more to do at once */
    private boolean step() {
        if (underWay != null && underWay.step.isReady()) {
            // nothing is gained by planning in the dark what is known already
            harvest(underWay);
            underWay = null;
        }
        UnderWay before = underWay;
        StepPlan plan = scheduler.plan(System.nanoTime());
        plan.failures().forEach(this::failed);
        RuntimeException fault = null;
        underWay = null;
        if (!plan.isEmpty()) {
            try {
                underWay = launch(plan);
            } catch (RuntimeException e) {
                fault = e;
            }
        }
        if (before != null) {
            harvest(before);
        }
        if (fault != null) {
            fail(plan, fault);
        }
        boolean released = release();
        return !plan.isEmpty() || before != null || released || !plan.failures().isEmpty();
    }

    private UnderWay launch(StepPlan plan) {
        long now = System.nanoTime();
        for (Work work : plan.work()) {
            answerOf(work.sequence()).started(now);
        }
        scheduler.launched(plan);
        return new UnderWay(plan, runner(plan.model()).launch(plan), now);
    }

    private void harvest(UnderWay done) {
        try (ModelRunner.LaunchedStep step = done.step) {
            ModelRunner.Outcome outcome = step.read();
            long now = System.nanoTime();
            long nanos = now - Math.max(done.launched, lastHarvest);
            lastHarvest = now;
            deliver(done.plan, outcome, nanos);
        } catch (RuntimeException e) {
            fail(done.plan, e);
        }
    }

    private void deliver(StepPlan plan, ModelRunner.Outcome outcome, long nanos) {
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
            if (own >= 0) {
                Generation generation = sequence.attachment(Generation.class);
                boolean ends = generation.accept(
                        outcome.tokens()[own],
                        outcome.logprobs() == null ? null : outcome.logprobs().get(own));
                if (ends) {
                    stopped.add(sequence);
                }
            }
        }
        scheduler.harvested(plan, stopped, nanos);
        for (Sequence sequence : alive) {
            Ending ending = sequence.ending();
            if (ending != null) {
                sequence.attachment(Generation.class)
                        .finished(ending == Ending.STOPPED ? FinishReason.STOP : FinishReason.LENGTH);
            }
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

    private void add(Answer answer, List<Sequence> sequences) {
        if (answer.isCancelled()) {
            return;
        }
        if (phase == Phase.READY) {
            live.add(answer, sequences);
        } else {
            answer.failed(unavailable());
        }
    }

    private EngineException unavailable() {
        return switch (phase) {
            case STARTING -> new EngineException.Unavailable("the model is still being loaded");
            case READY, DRAINING, STOPPED -> shuttingDown();
            case FAILED -> new EngineException.Unavailable("the engine has failed: " + failure);
        };
    }

    private static EngineException shuttingDown() {
        return new EngineException.Unavailable(SHUTTING_DOWN);
    }

    private void failed(Failure failure) {
        live.fail(
                answerOf(failure.sequence()), new EngineException.Overloaded(failure.reason(), Duration.ofSeconds(1)));
    }

    private void fail(StepPlan plan, RuntimeException cause) {
        LOG.error("step {} failed", plan.number(), cause);
        for (Sequence sequence : scheduler.failed(plan)) {
            live.fail(answerOf(sequence), new EngineException.Failed("the model could not compute the answer", cause));
        }
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

    /** The loop itself is broken: nothing can be trusted any more, so everything ends now and nothing starts. */
    private void crash(Throwable cause) {
        LOG.error("the engine has failed", cause);
        failure = String.valueOf(cause.getMessage());
        phase = Phase.FAILED;
        live.abandon(new EngineException.Failed("the engine has failed", cause));
        underWay = null;
    }

    private void shutDown() {
        live.failAll(shuttingDown());
        if (underWay != null) {
            harvest(underWay);
            underWay = null;
        }
        if (phase != Phase.FAILED) {
            release();
        }
        phase = Phase.STOPPED;
        runners.values().forEach(ModelRunner::close);
        runners.clear();
    }
}
