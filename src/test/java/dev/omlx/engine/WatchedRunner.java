package dev.omlx.engine;

import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import dev.omlx.sched.Work;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The real runner with a test on either side: what the hooks throw is as if the real one threw it. */
final class WatchedRunner implements ModelRunner {
    private final ModelRunner real;
    private final Hooks hooks;

    /** What the test sees and does. */
    static final class Hooks {
        final AtomicInteger steps = new AtomicInteger();
        final AtomicInteger tokens = new AtomicInteger();
        volatile Consumer<StepPlan> beforeLaunch = plan -> {};
        volatile Consumer<StepPlan> afterLaunch = plan -> {};
        volatile Consumer<StepPlan> beforeRead = plan -> {};

        private @Nullable BuiltStep underWay;

        /** Waits until the step under way is over. Engine thread only. */
        void awaitStep() {
            while (underWay != null && !underWay.isReady()) {
                Thread.onSpinWait();
            }
        }
    }

    WatchedRunner(ModelRunner real, Hooks hooks) {
        this.real = real;
        this.hooks = hooks;
    }

    @Override
    public boolean queuesSteps() {
        return real.queuesSteps();
    }

    @Override
    public BuiltStep build(StepPlan plan) {
        hooks.beforeLaunch.accept(plan);
        BuiltStep step = real.build(plan);
        hooks.steps.incrementAndGet();
        hooks.tokens.addAndGet(plan.work().stream().mapToInt(Work::tokenCount).sum());
        try {
            hooks.afterLaunch.accept(plan);
        } catch (RuntimeException e) {
            step.close();
            throw e;
        }
        return new BuiltStep() {
            @Override
            public void start() {
                step.start();
                hooks.underWay = this;
            }

            @Override
            public boolean isReady() {
                return step.isReady();
            }

            @Override
            public Outcome read() {
                hooks.beforeRead.accept(plan);
                return step.read();
            }

            @Override
            public void close() {
                if (hooks.underWay == this) {
                    hooks.underWay = null;
                }
                step.close();
            }
        };
    }

    @Override
    public void release(Sequence sequence) {
        real.release(sequence);
    }

    @Override
    public long kvBytes(int tokens) {
        return real.kvBytes(tokens);
    }

    @Override
    public void close() {
        real.close();
    }
}
