package dev.omlx.sampling;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What sampling remembers of one sequence: its parameters and, where penalties need it, which tokens it has seen. These
 * live on the device, since the host learns of a token only a step later. Owns its tensors; engine thread only.
 */
public final class SequenceSampling implements AutoCloseable {
    private final SamplingParameters parameters;
    private final int vocabulary;
    private final @Nullable Tensor bias;
    private final @Nullable Tensor endBias;
    /** 1 for tokens of prompt and answer, where there is a repetition penalty. */
    private @Nullable Tensor seen;
    /** How often each token stands in the answer, where a penalty asks for it. */
    private @Nullable Tensor counts;

    private int answered;
    private int forced = -1;

    /**
     * @param prompt the prompt's token ids
     * @param answer the answer's so far; empty unless the sequence starts again
     */
    public SequenceSampling(SamplingParameters parameters, int vocabulary, int[] prompt, int[] answer) {
        this.parameters = parameters;
        this.vocabulary = vocabulary;
        this.answered = answer.length;
        try (TensorScope scope = TensorScope.open()) {
            bias = parameters.logitBias().isEmpty() ? null : row(parameters.logitBias(), 0);
            endBias = parameters.minTokens() > 0 && !parameters.endTokens().isEmpty() ? endBias() : null;
            seen = parameters.repetitionPenalty() != 1 ? row(marks(prompt, answer)) : null;
            counts = parameters.countsAnswer() ? row(counts(answer)) : null;
        }
    }

    public SamplingParameters parameters() {
        return parameters;
    }

    /** Tokens chosen so far, the one in flight included. */
    public int answered() {
        return answered;
    }

    boolean adjusts() {
        return bias != null || seen != null || counts != null || banningEnd();
    }

    private boolean banningEnd() {
        return endBias != null && answered < parameters.minTokens();
    }

    /** Has the next token be this one, however likely; a negative one leaves the choice to the model. */
    public void force(int token) {
        forced = token;
    }

    boolean isForced() {
        return forced >= 0;
    }

    int forcedToken() {
        return forced;
    }

    /** {@code [1, vocabulary]} logits with bias and penalties. */
    Tensor adjust(Tensor logits) {
        Tensor adjusted = logits;
        if (seen != null) {
            Tensor factor = Tensor.scalar(parameters.repetitionPenalty(), DType.FLOAT32);
            Tensor zero = Tensor.scalar(0, DType.FLOAT32);
            Tensor penalised = Ops.where(
                    Ops.greater(adjusted, zero), Ops.divide(adjusted, factor), Ops.multiply(adjusted, factor));
            adjusted = Ops.where(Ops.greater(seen, zero), penalised, adjusted);
        }
        if (counts != null) {
            Tensor present = Ops.astype(Ops.greater(counts, Tensor.scalar(0, DType.FLOAT32)), DType.FLOAT32);
            adjusted = Ops.subtract(adjusted, Ops.multiply(present, parameters.presencePenalty()));
            adjusted = Ops.subtract(adjusted, Ops.multiply(counts, parameters.frequencyPenalty()));
        }
        if (bias != null) {
            adjusted = Ops.add(adjusted, bias);
        }
        if (endBias != null && banningEnd()) {
            adjusted = Ops.add(adjusted, endBias);
        }
        return adjusted;
    }

    /** Takes note of the token chosen, {@code [1]}, whose value need not be known yet. */
    void accept(Tensor token) {
        answered++;
        if (seen == null && counts == null) {
            return;
        }
        Tensor chosen = Ops.reshape(token, 1, 1);
        if (seen != null) {
            seen = replace(seen, Ops.putAlong(seen, chosen, Ops.full(1, DType.FLOAT32, 1, 1), -1));
        }
        if (counts != null) {
            Tensor one = Ops.full(1, DType.FLOAT32, 1, 1);
            counts = replace(counts, Ops.putAlong(counts, chosen, Ops.add(Ops.takeAlong(counts, chosen), one), -1));
        }
    }

    private static Tensor replace(Tensor old, Tensor updated) {
        updated.keep();
        old.close();
        return updated;
    }

    private float[] marks(int[]... texts) {
        float[] marks = new float[vocabulary];
        for (int[] text : texts) {
            for (int id : text) {
                marks[id] = 1;
            }
        }
        return marks;
    }

    private float[] counts(int[] answer) {
        float[] counts = new float[vocabulary];
        for (int id : answer) {
            counts[id]++;
        }
        return counts;
    }

    private Tensor endBias() {
        float[] values = new float[vocabulary];
        parameters.endTokens().forEach(id -> values[id] = Float.NEGATIVE_INFINITY);
        return row(values);
    }

    private Tensor row(Map<Integer, Float> byToken, float otherwise) {
        float[] values = new float[vocabulary];
        Arrays.fill(values, otherwise);
        byToken.forEach((id, value) -> values[id] = value);
        return row(values);
    }

    private Tensor row(float[] values) {
        return Tensor.of(values, 1, vocabulary).keep();
    }

    @Override
    public void close() {
        for (Tensor tensor : new Tensor[] {bias, endBias, seen, counts}) {
            if (tensor != null) {
                tensor.close();
            }
        }
    }
}
