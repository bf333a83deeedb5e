package dev.omlx.sampling;

import java.util.Map;
import java.util.Set;

/**
 * How one sequence's tokens are chosen, all defaults resolved. Filters apply in the order temperature, top-k, top-p,
 * min-p.
 *
 * @param temperature divides logits; 0, or next to it, means always the likeliest token
 * @param topP keep the likeliest tokens until their probabilities reach it, in (0, 1]
 * @param topK keep that many; 0 keeps all
 * @param minP drop what is less likely than this share of the likeliest, in [0, 1]
 * @param repetitionPenalty divides positive and multiplies negative logits of tokens in prompt or answer (arXiv:
 *     1909.05858); 1 does nothing
 * @param presencePenalty subtracted from logits of tokens in the answer
 * @param frequencyPenalty subtracted for each time they stand in it
 * @param seed with the position alone decides the random choice
 * @param logitBias token id to what is added to its logit
 * @param minTokens length of the answer below which {@code endTokens} are not chosen
 * @param endTokens ids that end an answer
 */
public record SamplingParameters(
        double temperature,
        double topP,
        int topK,
        double minP,
        double repetitionPenalty,
        double presencePenalty,
        double frequencyPenalty,
        long seed,
        Map<Integer, Float> logitBias,
        int minTokens,
        Set<Integer> endTokens) {

    /** Below it float32 leaves all the probability to the likeliest token, and soon none to any. */
    private static final double LEAST_TEMPERATURE = 1e-6;

    /** Always the likeliest token. */
    public static final SamplingParameters GREEDY =
            new SamplingParameters(0, 1, 0, 0, 1, 0, 0, 0, Map.of(), 0, Set.of());

    public SamplingParameters {
        logitBias = Map.copyOf(logitBias);
        endTokens = Set.copyOf(endTokens);
    }

    boolean isGreedy() {
        return temperature < LEAST_TEMPERATURE;
    }

    /** Whether the tokens must be ordered by probability. */
    boolean needsOrder() {
        return !isGreedy() && (topP < 1 || topK > 0);
    }

    boolean countsAnswer() {
        return presencePenalty != 0 || frequencyPenalty != 0;
    }

    /**
     * The seed of a position's random numbers, so that an answer does not depend on what else runs. The golden ratio's step
     * keeps the positions of one seed apart, the mixing those of neighbouring seeds (SplitMix64, Steele et al. 2014).
     */
    long seedAt(long position) {
        long z = seed + (position + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
