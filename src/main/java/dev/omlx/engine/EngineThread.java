package dev.omlx.engine;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import reactor.core.scheduler.Scheduler;

/**
 * The engine thread: the single worker of a Reactor scheduler. It takes turns while there is work or a command, and
 * parks when there is none. Once it has ended, for whatever reason, it never comes back, and each command is refused
 * instead of run; none is forgotten.
 */
final class EngineThread {
    static final String NAME = "mlx-engine";

    private static final Duration HEARTBEAT = Duration.ofMillis(200);

    /** After so long without a turn the thread rests. */
    static final Duration QUIET = Duration.ofSeconds(5);

    private final Scheduler reactor;
    private final Scheduler.Worker worker;
    private final BooleanSupplier turn;
    private final Runnable rest;
    private final Runnable whenEnded;
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean ended;
    private volatile long heartbeat = System.nanoTime();
    private long lastTurn = System.nanoTime();
    private boolean resting;

    /** Something to do on the engine thread, between steps. */
    interface Command {
        void run();

        /** The thread has ended; called on any thread. */
        default void refuse() {}
    }

    /**
     * @param pool makes a scheduler of one thread
     * @param turn does a piece of work and says whether there is more to do at once
     * @param rest is called on the thread once it had nothing to do for a while; must not throw
     * @param whenEnded is called on the thread when it ends
     */
    EngineThread(Function<ThreadFactory, Scheduler> pool, BooleanSupplier turn, Runnable rest, Runnable whenEnded) {
        this.turn = turn;
        this.rest = rest;
        this.whenEnded = whenEnded;
        reactor = pool.apply(task -> new Thread(() -> live(task), NAME));
        worker = reactor.createWorker();
        long period = HEARTBEAT.toMillis();
        worker.schedulePeriodically(this::idle, period, period, TimeUnit.MILLISECONDS);
    }

    // --- any thread

    /** Has the command run, or refused if the thread has ended. */
    void execute(Command command) {
        commands.add(command);
        if (ended) {
            refuseAll();
        } else if (scheduled.compareAndSet(false, true)) {
            schedule();
        }
    }

    /** The same, after a while; forgotten if the thread has ended by then. */
    void executeLater(Command command, Duration delay) {
        try {
            worker.schedule(() -> execute(command), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException over) {
            command.refuse();
        }
    }

    Duration sinceHeartbeat() {
        return Duration.ofNanos(System.nanoTime() - heartbeat);
    }

    /** Ends the thread after the turn that it is in. */
    void end() {
        reactor.dispose();
    }

    private void schedule() {
        try {
            worker.schedule(this::takeTurn);
        } catch (RejectedExecutionException over) {
            ended = true;
            refuseAll();
        }
    }

    private void refuseAll() {
        Command command;
        while ((command = commands.poll()) != null) {
            command.refuse();
        }
    }

    // --- the engine thread

    /** Runs the commands that came in, and says whether there were any. */
    boolean runCommands() {
        boolean any = false;
        Command command;
        while ((command = commands.poll()) != null) {
            command.run();
            any = true;
        }
        return any;
    }

    private void beat() {
        heartbeat = System.nanoTime();
    }

    private void idle() {
        beat();
        if (!resting && System.nanoTime() - lastTurn > QUIET.toNanos()) {
            resting = true;
            rest.run();
        }
    }

    private void takeTurn() {
        beat();
        boolean more = turn.getAsBoolean();
        lastTurn = System.nanoTime();
        resting = false;
        if (more || !commands.isEmpty()) {
            schedule();
            return;
        }
        scheduled.set(false);
        if (!commands.isEmpty() && scheduled.compareAndSet(false, true)) {
            schedule();
        }
    }

    private void live(Runnable task) {
        try {
            task.run();
        } finally {
            ended = true;
            try {
                whenEnded.run();
            } finally {
                refuseAll();
            }
        }
    }
}
