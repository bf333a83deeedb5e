package dev.omlx.sampling;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens chosen in a step, still on the device: started with {@link #launch()}, read with the others, closed by
 * whoever asked for them. Engine thread only.
 *
 * @param tokens {@code [rows]} int32
 * @param logprobs of the chosen tokens, {@code [rows, 1]}; null where not asked for, as the next two
 * @param topIds {@code [rows, k]} int32, in no order
 * @param topLogprobs {@code [rows, k]}
 */
public record SampledTokens(
        Tensor tokens,
        @Nullable Tensor logprobs,
        @Nullable Tensor topIds,
        @Nullable Tensor topLogprobs) implements AutoCloseable {

    static SampledTokens of(Tensor tokens) {
        return new SampledTokens(tokens.keep(), null, null, null);
    }

    /** @param logits before any adjustment, so that log-probabilities are the model's own */
    static SampledTokens of(Tensor tokens, Tensor logits, int top) {
        Tensor all = Ops.subtract(logits, Ops.logsumexp(logits));
        Tensor chosen =
                Ops.takeAlong(all, Ops.reshape(tokens, tokens.dim(0), 1)).keep();
        if (top == 0) {
            return new SampledTokens(tokens.keep(), chosen, null, null);
        }
        Tensor ids = Ops.slice(Ops.argpartition(Ops.negative(all), top - 1), 1, 0, top);
        return new SampledTokens(
                tokens.keep(),
                chosen,
                Ops.astype(ids, DType.INT32).keep(),
                Ops.takeAlong(all, ids).keep());
    }

    /** Starts the step's computation. */
    public void launch() {
        Mlx.asyncEval(all().toArray(Tensor[]::new));
    }

    /** Whether the values are there, so that reading them does not wait. */
    public boolean isReady() {
        return all().stream().allMatch(Tensor::isReady);
    }

    /** Waits for the tokens' values. */
    public int[] readTokens() {
        return tokens.toInts();
    }

    /** The log-probabilities of every row, or null where not asked for; the most likely first. */
    public @Nullable List<RowLogprobs> readLogprobs() {
        if (logprobs == null) {
            return null;
        }
        float[] chosen = logprobs.toFloats();
        int[] ids = topIds == null ? new int[0] : topIds.toInts();
        float[] values = topLogprobs == null ? new float[0] : topLogprobs.toFloats();
        int top = ids.length / chosen.length;
        List<RowLogprobs> rows = new ArrayList<>(chosen.length);
        for (int row = 0; row < chosen.length; row++) {
            List<RowLogprobs.Candidate> candidates = new ArrayList<>(top);
            for (int i = row * top; i < (row + 1) * top; i++) {
                candidates.add(new RowLogprobs.Candidate(ids[i], values[i]));
            }
            candidates.sort(
                    Comparator.comparingDouble(RowLogprobs.Candidate::logprob).reversed());
            rows.add(new RowLogprobs(chosen[row], candidates));
        }
        return rows;
    }

    private List<Tensor> all() {
        List<Tensor> all = new ArrayList<>(4);
        for (Tensor tensor : new Tensor[] {tokens, logprobs, topIds, topLogprobs}) {
            if (tensor != null) {
                all.add(tensor);
            }
        }
        return all;
    }

    @Override
    public void close() {
        all().forEach(Tensor::close);
    }
}
