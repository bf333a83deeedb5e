package dev.omlx.engine;

import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.kv.tensor.SlotArenas;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.model.LanguageModel;
import dev.omlx.nn.RaggedBatch;
import dev.omlx.sampling.SampledTokens;
import dev.omlx.sampling.Sampler;
import dev.omlx.sampling.SequenceSampling;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import dev.omlx.sched.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds a step's graph out of its plan and starts it on MLX. Sequences may share buffers, so a step that fails takes
 * along the KV of others too: they lose nothing, since it is computed anew before they go on. Owns the model.
 */
final class MlxModelRunner implements ModelRunner {
    private final LanguageModel model;
    private final SlotArenas arenas = new SlotArenas();

    private final BooleanSupplier roomForArenas;

    /** @param roomForArenas whether sequences may share buffers */
    MlxModelRunner(LanguageModel model, BooleanSupplier roomForArenas) {
        this.model = model;
        this.roomForArenas = roomForArenas;
    }

    /** What sequences share can no longer be trusted; for tests, as a real fault makes its own step anew anyway. */
    void loseArenas() {
        arenas.lose();
    }

    /**
     * The graph is started only once the scope has let go of all that lies between: MLX keeps a value for as long as
     * anybody holds its tensor.
     */
    @Override
    public BuiltStep build(StepPlan plan) {
        try (TensorScope scope = TensorScope.open()) {
            StepBatch batch = prepare(plan);
            return guarded(() -> build(plan, batch));
        }
    }

    private Step build(StepPlan plan, StepBatch batch) {
        Tensor hidden = model.hidden(batch.build(roomForArenas.getAsBoolean() ? arenas : null));
        int[] producing = producingRows(plan.work());
        SampledTokens sampled = producing.length == 0 ? null : sample(plan.work(), rows(hidden, producing));
        Step step = new Step(sampled == null ? hidden.keep() : null, sampled, promptRows(plan.work(), hidden));
        remember(plan.work(), step);
        return step;
    }

    private <T> T guarded(Supplier<T> computing) {
        try {
            return computing.get();
        } catch (RuntimeException fault) {
            throw lost(fault);
        }
    }

    /** A step computes for several sequences at once: after a fault nothing of what they share can be trusted. */
    private RuntimeException lost(RuntimeException fault) {
        arenas.lose();
        return fault;
    }

    /**
     * On the CPU, building and starting a step wait until nearly all of it is done (ADR 19), and building the next one
     * meanwhile takes the processor from the kernels.
     */
    @Override
    public boolean queuesSteps() {
        return Mlx.device() != Device.CPU;
    }

    /** All that each sequence needs by itself, made before any of them is touched, so that a fault names its sequence. */
    private StepBatch prepare(StepPlan plan) {
        StepBatch batch =
                new StepBatch(plan.work().stream().mapToInt(Work::tokenCount).sum());
        for (Work part : plan.work()) {
            Generation generation = part.sequence().attachment(Generation.class);
            try {
                batch.add(part, generation, cacheFor(part, generation));
                if (part.producesToken()) {
                    prepareSampling(generation);
                }
            } catch (RuntimeException e) {
                throw new SequenceFault(part.sequence(), e);
            }
        }
        return batch;
    }

    private static SequenceCache requireAt(int position, SequenceCache cache) {
        if (cache.length() != position) {
            throw new IllegalStateException("the KV cache ends at " + cache.length() + ", not at " + position);
        }
        return cache;
    }

    private SequenceCache cacheFor(Work part, Generation generation) {
        Sequence source = part.source();
        if (generation.cache != null && (source != null || part.startPosition() == 0)) {
            // left over from a step that was never launched
            generation.cache.close();
            generation.cache = null;
        }
        if (generation.cache == null) {
            generation.cache = source == null
                    ? model.newCache(part.sequence().knownTokens() + 1)
                    : intact(source.attachment(Generation.class)).fork(part.startPosition());
        }
        return requireAt(part.startPosition(), intact(generation));
    }

    /** The cache, computed anew if it was lost to the failure of a step that the sequence was not even in. */
    private SequenceCache intact(Generation generation) {
        SequenceCache cache = Objects.requireNonNull(generation.cache, "nothing to copy from");
        int lost = cache.lost();
        if (lost == 0) {
            return cache;
        }
        cache.close();
        SequenceCache again = model.newCache(lost);
        generation.cache = again;
        int[] tokens = IntStream.range(0, lost).map(generation::token).toArray();
        model.hidden(new RaggedBatch(
                Tensor.of(tokens, lost), Ops.arange(0, lost), List.of(new RaggedBatch.Segment(0, lost, again))));
        return again;
    }

    private void prepareSampling(Generation generation) {
        if (generation.sampling == null) {
            generation.sampling = new SequenceSampling(
                    generation.parameters(),
                    model.shape().vocabulary(),
                    generation.promptTokens(),
                    generation.answerTokens());
        }
    }

    private static int[] producingRows(List<Work> work) {
        List<Integer> rows = new ArrayList<>(work.size());
        int end = 0;
        for (Work part : work) {
            end += part.tokenCount();
            if (part.producesToken()) {
                rows.add(end - 1);
            }
        }
        return rows.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<PromptRows> promptRows(List<Work> work, Tensor hidden) {
        List<PromptRows> prompts = new ArrayList<>();
        int row = 0;
        for (Work part : work) {
            PromptRows rows = PromptRows.of(part, hidden, row);
            if (rows != null) {
                prompts.add(rows);
            }
            row += part.tokenCount();
        }
        return prompts;
    }

    private static Tensor rows(Tensor hidden, int[] rows) {
        return rows.length == hidden.dim(0) ? hidden : Ops.take(hidden, Tensor.of(rows, rows.length), 0);
    }

    private SampledTokens sample(List<Work> work, Tensor hidden) {
        List<SequenceSampling> samplings = new ArrayList<>(work.size());
        int topLogprobs = -1;
        for (Work part : work) {
            if (part.producesToken()) {
                Generation generation = part.sequence().attachment(Generation.class);
                SequenceSampling sampling = Objects.requireNonNull(generation.sampling);
                sampling.force(generation.forcedToken());
                samplings.add(sampling);
                topLogprobs = Math.max(topLogprobs, generation.topLogprobs());
            }
        }
        return Sampler.sample(model.logits(hidden), samplings, topLogprobs);
    }

    private static void remember(List<Work> work, Step step) {
        int row = 0;
        for (Work part : work) {
            if (part.producesToken()) {
                part.sequence().attachment(Generation.class).newest = new Generation.DeviceToken(step, row++);
            }
        }
    }

    @Override
    public void release(Sequence sequence) {
        sequence.attachment(Generation.class).release();
    }

    @Override
    public long kvBytes(int tokens) {
        return model.kvBytes(tokens);
    }

    @Override
    public void close() {
        model.close();
    }

    /** Owns the step's result: the tokens, or where none is produced something to wait for. */
    final class Step implements BuiltStep {
        private final @Nullable Tensor hidden;
        private final @Nullable SampledTokens sampled;
        private final List<PromptRows> prompts;

        Step(@Nullable Tensor hidden, @Nullable SampledTokens sampled, List<PromptRows> prompts) {
            this.hidden = hidden;
            this.sampled = sampled;
            this.prompts = prompts;
        }

        @Override
        public void start() {
            try {
                launch();
            } catch (RuntimeException fault) {
                throw lost(fault);
            }
        }

        private void launch() {
            if (sampled != null) {
                sampled.launch();
            } else if (hidden != null) {
                Mlx.asyncEval(hidden);
            }
            if (!prompts.isEmpty()) {
                Mlx.asyncEval(prompts.stream().map(PromptRows::hidden).toArray(Tensor[]::new));
            }
        }

        /** The tokens on the device. */
        Tensor tokens() {
            if (sampled == null) {
                throw new IllegalStateException("the step samples no token");
            }
            return sampled.tokens();
        }

        @Override
        public boolean isReady() {
            return sampled != null ? sampled.isReady() : hidden == null || hidden.isReady();
        }

        @Override
        public Outcome read() {
            return guarded(this::outcome);
        }

        private Outcome outcome() {
            if (sampled == null) {
                if (hidden != null) {
                    hidden.eval();
                }
                return new Outcome(new int[0], null, scores());
            }
            return new Outcome(sampled.readTokens(), sampled.readLogprobs(), scores());
        }

        private List<PromptScores> scores() {
            return prompts.stream().map(rows -> rows.read(model)).toList();
        }

        @Override
        public void close() {
            if (sampled != null) {
                sampled.close();
            }
            if (hidden != null) {
                hidden.close();
            }
            prompts.forEach(PromptRows::close);
        }
    }
}
