package dev.omlx.engine;

import dev.omlx.ffi.NativeSearch;
import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.model.LanguageModel;
import dev.omlx.model.LoadPlan;
import dev.omlx.model.ModelLoader;
import dev.omlx.model.Precision;
import dev.omlx.model.StepMemory;
import dev.omlx.nn.RaggedBatch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A model without an engine, to look at what it computes. Owns the model; used by the thread that opened it. */
public final class ModelProbe implements AutoCloseable {
    /** Positions whose logits are made at a time. */
    private static final int CHUNK = 512;

    private final LanguageModel model;

    private ModelProbe(LanguageModel model) {
        this.model = model;
    }

    /**
     * Starts MLX and loads a model.
     *
     * @param memoryLimit bytes that MLX may hold
     * @throws ModelTooLargeException if it does not fit there
     * @throws RuntimeException as {@link ModelLoader#open} and {@link ModelLoader#load}
     */
    public static ModelProbe open(
            Path path, NativeSearch nativeLibrary, Function<Device, Precision> precision, long memoryLimit) {
        Mlx.start(nativeLibrary);
        Precision wanted = precision.apply(Mlx.device());
        try (ModelLoader files = ModelLoader.open(path)) {
            LoadPlan plan = files.plan(wanted);
            new EngineMemory(memoryLimit, () -> {})
                    .admit(
                            String.valueOf(path.getFileName()),
                            StepMemory.here(plan.shape()),
                            plan.weightBytes(),
                            plan.shape().contextLength(),
                            1,
                            plan.shape()::kvBytes);
            return new ModelProbe(files.load(wanted));
        }
    }

    /** What the model says of a prompt and how it goes on. */
    public Reading read(int[] ids, int greedyTokens) {
        int vocabulary = model.shape().vocabulary();
        int context = model.shape().contextLength();
        if (ids.length + (long) greedyTokens > context) {
            throw new IllegalArgumentException(
                    ids.length + " ids and " + greedyTokens + " further tokens do not fit the context of " + context);
        }
        for (int id : ids) {
            if (id < 0 || id >= vocabulary) {
                throw new IllegalArgumentException("token id " + id + " is not in the vocabulary of " + vocabulary);
            }
        }
        try (SequenceCache cache = model.newCache()) {
            double sum = 0;
            float[] last = new float[vocabulary];
            for (int from = 0; from < ids.length; from += CHUNK) {
                int[] chunk = Arrays.copyOfRange(ids, from, Math.min(ids.length, from + CHUNK));
                try (TensorScope scope = TensorScope.open()) {
                    Tensor logits = model.logits(model.hidden(batch(cache, chunk)));
                    sum += logprobs(logits, Arrays.copyOfRange(ids, from + 1, Math.min(ids.length, from + CHUNK + 1)));
                    last = Ops.slice(logits, 0, chunk.length - 1, chunk.length).toFloats();
                }
            }
            return new Reading(last, greedy(cache, last, greedyTokens), sum);
        }
    }

    /**
     * What the model says.
     *
     * @param logits of the position after the prompt, the whole vocabulary
     * @param tokens the likeliest continuation, token by token
     * @param logprobSum sum of the log-probabilities of all prompt tokens but the first, each given those before it
     */
    public record Reading(float[] logits, int[] tokens, double logprobSum) {}

    private static double logprobs(Tensor logits, int[] next) {
        if (next.length == 0) {
            return 0;
        }
        Tensor rows = Ops.slice(logits, 0, 0, next.length);
        Tensor all = Ops.subtract(rows, Ops.logsumexp(rows));
        double sum = 0;
        for (float value : Ops.takeAlong(all, Tensor.of(next, next.length, 1)).toFloats()) {
            sum += value;
        }
        return sum;
    }

    private int[] greedy(SequenceCache cache, float[] logits, int count) {
        int[] tokens = new int[count];
        float[] last = logits;
        for (int i = 0; i < count; i++) {
            tokens[i] = argmax(last);
            if (i < count - 1) {
                try (TensorScope scope = TensorScope.open()) {
                    last = model.logits(model.hidden(batch(cache, new int[] {tokens[i]})))
                            .toFloats();
                }
            }
        }
        return tokens;
    }

    private static RaggedBatch batch(SequenceCache cache, int[] ids) {
        int[] positions =
                IntStream.range(cache.length(), cache.length() + ids.length).toArray();
        return new RaggedBatch(
                Tensor.of(ids, ids.length),
                Tensor.of(positions, ids.length),
                List.of(new RaggedBatch.Segment(0, ids.length, cache)));
    }

    private static int argmax(float[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            if (values[i] > values[best]) {
                best = i;
            }
        }
        return best;
    }

    @Override
    public void close() {
        model.close();
    }
}
