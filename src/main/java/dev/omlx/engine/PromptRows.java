package dev.omlx.engine;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.model.LanguageModel;
import dev.omlx.sampling.RowLogprobs;
import dev.omlx.sampling.Sampler;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a chunk of prefill that are followed by a token of the prompt whose log-probability is wanted. Their logits
 * are computed a few rows at a time and read before the next ones: those of a long prompt would not fit into memory
 * together. Owns its rows; engine thread only.
 */
final class PromptRows implements AutoCloseable {
    /** Rows whose logits exist at once. */
    private static final int SLICE = 16;

    /** What they take, as rows that are sampled: those need three times as many tensors. */
    static final int SAMPLED_ROWS = SLICE / 3 + 1;

    private final Sequence sequence;
    private final int position;
    private final int[] tokens;
    private final int topLogprobs;
    private final Tensor hidden;

    /**
     * @param position of the first token
     * @param hidden {@code [tokens, hidden]}, the rows before them
     */
    private PromptRows(Sequence sequence, int position, int[] tokens, int topLogprobs, Tensor hidden) {
        this.sequence = sequence;
        this.position = position;
        this.tokens = tokens;
        this.topLogprobs = topLogprobs;
        this.hidden = hidden;
    }

    /**
     * Those of a chunk.
     *
     * @param hidden {@code [T, hidden]} of the whole step
     * @param firstRow where the chunk begins in it
     * @return null if there are none
     */
    static @Nullable PromptRows of(Work chunk, Tensor hidden, int firstRow) {
        Generation generation = chunk.sequence().attachment(Generation.class);
        int start = chunk.startPosition();
        int first = Math.max(start + 1, generation.scoredTokens());
        int end = Math.min(start + chunk.tokenCount() + 1, chunk.sequence().promptTokens());
        if (!generation.scoresPrompt() || first >= end) {
            return null;
        }
        int[] tokens = IntStream.range(first, end).map(generation::token).toArray();
        int row = firstRow + first - 1 - start;
        Tensor rows = Ops.slice(hidden, 0, row, row + tokens.length).keep();
        return new PromptRows(chunk.sequence(), first, tokens, generation.topLogprobs(), rows);
    }

    Tensor hidden() {
        return hidden;
    }

    /** Waits for the rows, and computes what follows from them. */
    PromptScores read(LanguageModel model) {
        List<RowLogprobs> scores = new ArrayList<>(tokens.length);
        for (int from = 0; from < tokens.length; from += SLICE) {
            int to = Math.min(from + SLICE, tokens.length);
            try (TensorScope scope = TensorScope.open()) {
                Tensor next = Tensor.of(Arrays.copyOfRange(tokens, from, to), to - from);
                scores.addAll(Sampler.score(model.logits(Ops.slice(hidden, 0, from, to)), next, topLogprobs));
            }
        }
        return new PromptScores(sequence, position, scores);
    }

    @Override
    public void close() {
        hidden.close();
    }
}
