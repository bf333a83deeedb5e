package dev.omlx.engine;

import dev.omlx.sampling.RowLogprobs;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import dev.omlx.sched.Work;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes steps for one model. Engine thread only; the seam at which tests put a scripted model. */
interface ModelRunner extends AutoCloseable {
    /**
     * Makes a step's graph. The steps before it may still run; a device that queues no steps may compute this one already
     * while it is made.
     *
     * @throws SequenceFault if it cannot be made for the sake of one sequence; nothing has happened then
     * @throws RuntimeException if it cannot be made at all; no sequence of it can be trusted then
     */
    BuiltStep build(StepPlan plan);

    /**
     * Whether the device takes a step while it computes the one before, and the host has processors to spare meanwhile.
     * Where not, nothing is gained by starting a step before the one before was read.
     */
    boolean queuesSteps();

    /** Frees what a sequence holds; it may be prefilled anew later. */
    void release(Sequence sequence);

    /** Bytes of KV buffers with room for that many tokens. */
    long kvBytes(int tokens);

    @Override
    void close();

    /** A step that is to be started, and under way from then on. Closed once it was read. */
    interface BuiltStep extends AutoCloseable {
        /**
         * Has what is left of it computed, and returns before that is done.
         *
         * @throws RuntimeException if that fails; no sequence of it can be trusted then
         */
        void start();

        /** Whether reading does not wait. */
        boolean isReady();

        /**
         * Waits for the step.
         *
         * @throws RuntimeException if it failed; no sequence of it can be trusted then
         */
        Outcome read();

        @Override
        void close();
    }

    /**
     * What a step gave, one entry a row that produces a token, in the plan's order.
     *
     * @param logprobs null where no row asked for them
     * @param scores of prompts that asked for them
     */
    record Outcome(int[] tokens, @Nullable List<RowLogprobs> logprobs, List<PromptScores> scores) {
        Outcome(int[] tokens, @Nullable List<RowLogprobs> logprobs) {
            this(tokens, logprobs, List.of());
        }

        void requireRows(StepPlan plan) {
            long rows = plan.work().stream().filter(Work::producesToken).count();
            if (tokens.length != rows || (logprobs != null && logprobs.size() != rows)) {
                throw new IllegalStateException("step " + plan.number() + " gave " + tokens.length + " tokens and "
                        + (logprobs == null ? "no" : logprobs.size()) + " log-probabilities for " + rows + " rows");
            }
        }
    }
}
