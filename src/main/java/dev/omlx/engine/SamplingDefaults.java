package dev.omlx.engine;

import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.sampling.SamplingParameters;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What is sampled with where a request does not say; see {@link SamplingParameters} for the fields.
 */
public record SamplingDefaults(double temperature, double topP, int topK, double minP, double repetitionPenalty) {
    /** As OpenAI's API: plain sampling from the model's distribution. */
    public static final SamplingDefaults PLAIN = new SamplingDefaults(1, 1, 0, 0, 1);

    /**
     * The parameters of one choice.
     *
     * @param choice answers to the same request differ by their seed
     */
    SamplingParameters resolve(SamplingOptions options, StopConditions stop, Set<Integer> endTokens, int choice) {
        long seed = options.seed() == null ? ThreadLocalRandom.current().nextLong() : options.seed();
        return new SamplingParameters(
                or(options.temperature(), temperature),
                or(options.topP(), topP),
                options.topK() == null ? topK : options.topK(),
                or(options.minP(), minP),
                or(options.repetitionPenalty(), repetitionPenalty),
                or(options.presencePenalty(), 0),
                or(options.frequencyPenalty(), 0),
                seed + choice * 0x632BE59BD9B4E019L,
                options.logitBias(),
                stop.minTokens(),
                endTokens);
    }

    private static double or(@Nullable Double value, double otherwise) {
        return value == null ? otherwise : value;
    }
}
