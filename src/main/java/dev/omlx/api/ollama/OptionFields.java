package dev.omlx.api.ollama;

import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.SamplingFields;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import org.jspecify.annotations.Nullable;

/**
 * The fields of {@code options}. Those that size the server's own work are ignored, such as {@code num_ctx} and
 * {@code num_gpu}: every request may use the model's whole context.
 */
final class OptionFields {
    private static final String MAX_TOKENS = "num_predict";
    private static final int MAX_STOPS = 64;

    /** As far as the context reaches. */
    private static final int LEAST_MAX_TOKENS = -2;

    private static final long RANDOM_SEED = -1;

    private OptionFields() {}

    static SamplingOptions sampling(JsonFields options, ModelDescription model) {
        Long seed = options.whole("seed");
        return SamplingFields.sampling(
                options, model, "repeat_penalty", seed != null && seed == RANDOM_SEED ? null : seed);
    }

    static StopConditions stop(JsonFields options, ModelDescription model) {
        return SamplingFields.stop(options, model, maxTokens(options), MAX_STOPS);
    }

    private static @Nullable Integer maxTokens(JsonFields options) {
        Integer given = SamplingFields.maxTokens(options, MAX_TOKENS, LEAST_MAX_TOKENS);
        if (given != null && given == 0) {
            throw options.invalid(MAX_TOKENS, "must be at least 1, or -1 for as many as there is room for");
        }
        return given == null || given < 0 ? null : given;
    }
}
