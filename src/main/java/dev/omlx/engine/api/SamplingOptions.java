package dev.omlx.engine.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a request wants its tokens chosen. A null field takes the model's default, then the server's
 * ({@code omlx.sampling.*}). {@link SamplingLimit} says what the numbers may be.
 *
 * @param temperature how even the odds are; 0 takes always the likeliest token
 * @param topP keep the likeliest tokens whose probabilities reach this sum
 * @param topK keep this many of the likeliest tokens; 0 keeps all
 * @param minP drop tokens less likely than this share of the likeliest one
 * @param repetitionPenalty divides (or multiplies) logits of tokens seen in prompt or answer; 1 does nothing
 * @param presencePenalty subtracted once from logits of tokens in the answer
 * @param frequencyPenalty subtracted for each time a token stands in the answer
 * @param seed makes the answer repeatable, whatever else the server is doing; null picks one at random
 * @param logitBias token id to what is added to its logit
 */
public record SamplingOptions(
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer topK,
        @Nullable Double minP,
        @Nullable Double repetitionPenalty,
        @Nullable Double presencePenalty,
        @Nullable Double frequencyPenalty,
        @Nullable Long seed,
        Map<Integer, Float> logitBias) {

    /** Everything left to the model and the server. */
    public static final SamplingOptions DEFAULT =
            new SamplingOptions(null, null, null, null, null, null, null, null, Map.of());

    /** Always the likeliest token. */
    public static final SamplingOptions GREEDY =
            new SamplingOptions(0.0, null, null, null, null, null, null, null, Map.of());

    public SamplingOptions {
        logitBias = Map.copyOf(logitBias);
    }
}
