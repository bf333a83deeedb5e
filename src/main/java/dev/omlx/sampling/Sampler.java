package dev.omlx.sampling;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** Chooses a token for every row of a step in one graph, or says how likely a given one was. Engine thread only. */
public final class Sampler {
    private Sampler() {}

    /**
     * Chooses, and lets each sequence take note of its token.
     *
     * @param logits {@code [rows, vocabulary]}
     * @param rows one a row
     * @param topLogprobs the most likely tokens to report a row; negative reports no log-probabilities at all
     */
    public static SampledTokens sample(Tensor logits, List<SequenceSampling> rows, int topLogprobs) {
        Tensor raw = Ops.astype(logits, DType.FLOAT32);
        Tensor adjusted = adjust(raw, rows);
        Tensor tokens = force(Ops.astype(choose(adjusted, rows), DType.INT32), rows);
        for (int i = 0; i < rows.size(); i++) {
            rows.get(i).accept(rows.size() == 1 ? tokens : Ops.slice(tokens, 0, i, i + 1));
        }
        return topLogprobs < 0 ? SampledTokens.of(tokens) : SampledTokens.of(tokens, raw, topLogprobs);
    }

    /**
     * How likely tokens were that are known already. Waits for the values.
     *
     * @param logits {@code [rows, vocabulary]}
     * @param tokens {@code [rows]} int32
     * @param topLogprobs the most likely tokens to report a row, at least 0
     */
    public static List<RowLogprobs> score(Tensor logits, Tensor tokens, int topLogprobs) {
        try (SampledTokens given = SampledTokens.of(tokens, Ops.astype(logits, DType.FLOAT32), topLogprobs)) {
            given.launch();
            return Objects.requireNonNull(given.readLogprobs());
        }
    }

    private static Tensor adjust(Tensor logits, List<SequenceSampling> rows) {
        if (rows.stream().noneMatch(SequenceSampling::adjusts)) {
            return logits;
        }
        Tensor[] adjusted = new Tensor[rows.size()];
        for (int i = 0; i < adjusted.length; i++) {
            adjusted[i] = rows.get(i).adjust(Ops.slice(logits, 0, i, i + 1));
        }
        return Ops.concatenate(0, adjusted);
    }

    /** {@code [rows]} int32 or uint32. */
    private static Tensor choose(Tensor logits, List<SequenceSampling> rows) {
        List<SamplingParameters> parameters =
                rows.stream().map(SequenceSampling::parameters).toList();
        if (parameters.stream().allMatch(SamplingParameters::isGreedy)) {
            return Ops.argmax(logits);
        }
        Tensor temperatures = column(parameters, row -> row.isGreedy() ? 1 : row.temperature());
        Tensor probabilities = Ops.softmax(Ops.divide(logits, temperatures));
        Tensor kept = parameters.stream().anyMatch(SamplingParameters::needsOrder)
                ? keepOrdered(probabilities, parameters)
                : keepUnordered(probabilities, parameters);
        Tensor chosen = Draw.of(kept, rows);
        if (parameters.stream().noneMatch(SamplingParameters::isGreedy)) {
            return chosen;
        }
        boolean[] greedy = new boolean[rows.size()];
        for (int i = 0; i < greedy.length; i++) {
            greedy[i] = parameters.get(i).isGreedy();
        }
        return Ops.where(Tensor.of(greedy), Ops.argmax(logits), chosen);
    }

    /** Puts forced tokens in the place of those that were chosen, so that no other row notices. */
    private static Tensor force(Tensor chosen, List<SequenceSampling> rows) {
        if (rows.stream().noneMatch(SequenceSampling::isForced)) {
            return chosen;
        }
        boolean[] forced = new boolean[rows.size()];
        int[] tokens = new int[rows.size()];
        for (int i = 0; i < forced.length; i++) {
            forced[i] = rows.get(i).isForced();
            tokens[i] = Math.max(rows.get(i).forcedToken(), 0);
        }
        return Ops.where(Tensor.of(forced), Tensor.of(tokens, tokens.length), chosen);
    }

    private static Tensor keepUnordered(Tensor probabilities, List<SamplingParameters> rows) {
        if (rows.stream().anyMatch(row -> row.minP() > 0)) {
            Tensor least = Ops.multiply(Ops.max(probabilities), column(rows, SamplingParameters::minP));
            return Ops.where(Ops.greaterEqual(probabilities, least), probabilities, zero());
        }
        return probabilities;
    }

    private static Tensor keepOrdered(Tensor probabilities, List<SamplingParameters> rows) {
        int vocabulary = probabilities.dim(1);
        Tensor order = Ops.argsort(Ops.negative(probabilities));
        Tensor sorted = Ops.takeAlong(probabilities, order);
        Tensor before = Ops.subtract(Ops.cumsum(sorted), sorted);
        Tensor rank = Ops.reshape(Ops.astype(Ops.arange(0, vocabulary), DType.FLOAT32), 1, vocabulary);
        Tensor keep = Ops.logicalAnd(
                Ops.less(rank, column(rows, row -> row.topK() == 0 ? vocabulary : row.topK())),
                Ops.less(
                        before,
                        column(
                                rows,
                                row -> row.topP() == 1 ? Float.MAX_VALUE : Math.max(row.topP(), Float.MIN_NORMAL))));
        Tensor least = Ops.multiply(Ops.slice(sorted, 1, 0, 1), column(rows, SamplingParameters::minP));
        keep = Ops.logicalAnd(keep, Ops.greaterEqual(sorted, least));
        // back in the vocabulary's order, so that a row draws the same whether or not another one needed the sorting
        return Ops.putAlong(
                Ops.zeros(DType.FLOAT32, rows.size(), vocabulary), order, Ops.where(keep, sorted, zero()), 1);
    }

    private static Tensor column(List<SamplingParameters> rows, ToDoubleFunction<SamplingParameters> value) {
        float[] values = new float[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) value.applyAsDouble(rows.get(i));
        }
        return Tensor.of(values, values.length, 1);
    }

    private static Tensor zero() {
        return Tensor.scalar(0, DType.FLOAT32);
    }
}
