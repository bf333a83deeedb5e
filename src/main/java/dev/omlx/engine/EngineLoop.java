package dev.omlx.engine;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.sched.KvMemory;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.sched.SchedulerStats;
import dev.omlx.sched.Sequence;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The engine's life on its one thread, which owns MLX, all runners and the scheduler's state. A turn takes the commands
 * that came in and does one step. An error that escapes a turn ends the engine: every request fails at once, and new
 * ones are refused.
 *
 * <p>The methods that other threads call say so; all others are the engine thread's.
 */
final class EngineLoop implements Answer.Aborter {
    static final String SHUTTING_DOWN = "the server is shutting down";

    private static final Logger LOG = LoggerFactory.getLogger(EngineLoop.class);

    private final Runnable tidy;
    private final EngineThread thread;
    private final dev.omlx.sched.Scheduler scheduler;
    private final LiveRequests live;
    private final StepPipeline pipeline;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    private volatile Phase phase = Phase.STARTING;
    private volatile @Nullable String failure;
    private volatile @Nullable SchedulerStats stats;

    /** @param tidy gives back what only work to come could use; called when there has been none for a while */
    EngineLoop(SchedulerConfig config, KvMemory memory, Runnable tidy) {
        this(config, memory, tidy, Schedulers::newSingle);
    }

    /** @param pool makes a scheduler of one thread */
    EngineLoop(SchedulerConfig config, KvMemory memory, Runnable tidy, Function<ThreadFactory, Scheduler> pool) {
        this.tidy = tidy;
        scheduler = new dev.omlx.sched.Scheduler(config, memory);
        live = new LiveRequests(scheduler);
        pipeline = new StepPipeline(scheduler, live);
        thread = new EngineThread(pool, this::turn, this::rest, this::threadEnded);
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
        return thread.sinceHeartbeat();
    }

    /** The scheduler's books after the last turn; null before the first, and when the engine has failed. */
    @Nullable
    SchedulerStats stats() {
        return stats;
    }

    /** Runs something on the engine thread, between steps. */
    <T> CompletableFuture<T> call(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(new EngineThread.Command() {
            @Override
            public void run() {
                try {
                    result.complete(task.get());
                } catch (RuntimeException | Error e) {
                    result.completeExceptionally(e);
                }
            }

            @Override
            public void refuse() {
                result.completeExceptionally(unavailable());
            }
        });
        return result;
    }

    /** Hands over a request; its answer hears whether it is accepted. */
    void submit(Answer answer, List<Sequence> sequences) {
        thread.execute(new EngineThread.Command() {
            @Override
            public void run() {
                add(answer, sequences);
            }

            @Override
            public void refuse() {
                answer.failed(unavailable());
            }
        });
    }

    @Override
    public void abort(Answer answer) {
        thread.execute(() -> live.abort(answer));
    }

    @Override
    public void abort(Answer answer, int choice) {
        thread.execute(() -> live.abort(answer, choice));
    }

    /**
     * Takes no new requests from now on; those there have so much time to end, then they fail. Called again, it can
     * shorten the time.
     *
     * @return completes when the last of them has ended
     */
    CompletableFuture<Void> drain(Duration patience) {
        thread.execute(new EngineThread.Command() {
            @Override
            public void run() {
                if (phase == Phase.READY) {
                    phase = Phase.DRAINING;
                }
                scheduler.drain();
            }

            @Override
            public void refuse() {
                drained.complete(null);
            }
        });
        thread.executeLater(() -> live.failAll(shuttingDown()), patience);
        return drained;
    }

    /** Ends what is left, frees everything and ends the thread. Does nothing once the thread has ended. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        thread.execute(new EngineThread.Command() {
            @Override
            public void run() {
                try {
                    shutDown();
                    closed.complete(null);
                } catch (RuntimeException | Error e) {
                    closed.completeExceptionally(e);
                }
            }

            @Override
            public void refuse() {
                closed.complete(null);
            }
        });
        return closed.whenComplete((nothing, error) -> thread.end());
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

    // --- the engine thread

    void ready() {
        phase = Phase.READY;
    }

    void addRunner(String model, ModelRunner runner) {
        pipeline.addRunner(model, runner);
    }

    private boolean turn() {
        try {
            if (thread.runCommands()) {
                // not only after the step, which may take long
                publishStats();
            }
            boolean more = isAtWork() && pipeline.step();
            publishStats();
            if (phase == Phase.DRAINING && live.isEmpty()) {
                drained.complete(null);
            }
            return more;
        } catch (RuntimeException | Error e) {
            crash(e);
            return false;
        }
    }

    private void rest() {
        try {
            if (phase == Phase.READY) {
                tidy.run();
            }
        } catch (RuntimeException | Error e) {
            crash(e);
        }
    }

    private boolean isAtWork() {
        return phase != Phase.STOPPED && phase != Phase.FAILED;
    }

    private void publishStats() {
        stats = phase == Phase.FAILED ? null : scheduler.stats();
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

    /** The loop itself is broken: nothing can be trusted any more, so everything ends now and nothing starts. */
    private void crash(Throwable cause) {
        failure = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        phase = Phase.FAILED;
        stats = null;
        live.abandon(new EngineException.Failed("the engine has failed", cause));
        drained.complete(null);
        LOG.error("the engine has failed", cause);
    }

    private void threadEnded() {
        if (isAtWork()) {
            crash(new IllegalStateException("the engine thread has ended"));
        }
    }

    private void shutDown() {
        live.failAll(shuttingDown());
        if (phase != Phase.FAILED) {
            pipeline.settle();
        }
        phase = Phase.STOPPED;
        drained.complete(null);
        pipeline.close();
    }
}
