package dev.omlx.engine;

import dev.omlx.sampling.RowLogprobs;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Computes steps for one model. Engine thread only; the seam at which tests put a scripted model. */
interface ModelRunner extends AutoCloseable {
    /** Starts a step and returns before it is done. */
    LaunchedStep launch(StepPlan plan);

    /** Frees what a sequence holds; it may be prefilled anew later. */
    void release(Sequence sequence);

    /** Bytes of KV buffers with room for that many tokens. */
    long kvBytes(int tokens);

    @Override
    void close();

    /** A step under way. Closed once it was read. */
    interface LaunchedStep extends AutoCloseable {
        /** Whether reading does not wait. */
        boolean isReady();

        /** Waits for the step. */
        Outcome read();

        @Override
        void close();
    }

    /**
     * What a step gave, one entry a row that produces a token, in the plan's order.
     *
     * @param logprobs null where no row asked for them
     */
    record Outcome(int[] tokens, @Nullable List<RowLogprobs> logprobs) {}
}
