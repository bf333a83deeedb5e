package dev.omlx.api.request;

import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.SamplingLimit;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The sampling and stop fields, which all dialects of OpenAI share. */
public final class SamplingFields {
    private static final int MAX_STOPS = 4;

    /** What vLLM's clients send for "no limit". */
    private static final int ALL_TOKENS = -1;

    private SamplingFields() {}

    public static SamplingOptions sampling(JsonFields body, ModelDescription model) {
        return sampling(body, model, "repetition_penalty", body.whole("seed"));
    }

    /**
     * As {@link #sampling(JsonFields, ModelDescription)}, for a dialect that goes its own way with some of them.
     *
     * @param repetitionPenalty name of that field
     * @param seed the seed; null for one at random
     */
    public static SamplingOptions sampling(
            JsonFields body, ModelDescription model, String repetitionPenalty, @Nullable Long seed) {
        return new SamplingOptions(
                body.number("temperature", SamplingLimit.TEMPERATURE.range()),
                body.number("top_p", SamplingLimit.TOP_P.range()),
                topK(body),
                body.number("min_p", SamplingLimit.MIN_P.range()),
                body.number(repetitionPenalty, SamplingLimit.REPETITION_PENALTY.range()),
                body.number("presence_penalty", SamplingLimit.PRESENCE_PENALTY.range()),
                body.number("frequency_penalty", SamplingLimit.FREQUENCY_PENALTY.range()),
                seed,
                logitBias(body, model));
    }

    /** The field that says the answer's longest length; null if it is absent. More than there can be room for is no error. */
    public static @Nullable Integer maxTokens(JsonFields body, String name) {
        return maxTokens(body, name, SamplingLimit.MAX_TOKENS.range().firstInt());
    }

    /**
     * As {@link #maxTokens(JsonFields, String)}, where lower numbers have a meaning.
     *
     * @param least the lowest
     */
    public static @Nullable Integer maxTokens(JsonFields body, String name, int least) {
        return body.clamped(name, least, SamplingLimit.MAX_TOKENS.range().lastInt());
    }

    /**
     * Reads when to end.
     *
     * @param maxTokens the answer's longest length, as the dialect's own field says it
     */
    public static StopConditions stop(JsonFields body, ModelDescription model, @Nullable Integer maxTokens) {
        return stop(body, model, maxTokens, MAX_STOPS);
    }

    /**
     * As {@link #stop(JsonFields, ModelDescription, Integer)}.
     *
     * @param mostStops how many stop texts there may be
     */
    public static StopConditions stop(
            JsonFields body, ModelDescription model, @Nullable Integer maxTokens, int mostStops) {
        int minTokens = body.integer("min_tokens", 0, Integer.MAX_VALUE, 0);
        if (maxTokens != null && minTokens > maxTokens) {
            throw body.invalid("min_tokens", "must not be greater than the most tokens to generate, " + maxTokens);
        }
        return new StopConditions(
                maxTokens,
                minTokens,
                stops(body, "stop", body.oneOrMoreStrings("stop"), mostStops),
                new HashSet<>(body.integers("stop_token_ids", 0, model.vocabularySize() - 1)),
                body.flag("ignore_eos", false));
    }

    private static @Nullable Integer topK(JsonFields body) {
        Integer topK =
                body.integer("top_k", ALL_TOKENS, SamplingLimit.TOP_K.range().lastInt());
        return topK == null ? null : Integer.valueOf(Math.max(topK, 0));
    }

    /** Refuses stop texts that are too many or empty; {@code name} is their field. */
    public static List<String> stops(JsonFields body, String name, List<String> stops, int most) {
        if (stops.size() > most) {
            throw body.invalid(name, "must have at most %d strings".formatted(most));
        }
        int empty = stops.indexOf("");
        if (empty >= 0) {
            throw JsonFields.invalidAt(body.pathOfOneOrMore(name, empty), "must not be an empty string");
        }
        return stops;
    }

    private static Map<Integer, Float> logitBias(JsonFields body, ModelDescription model) {
        JsonFields fields = body.fields("logit_bias");
        if (fields == null) {
            return Map.of();
        }
        ObjectNode biases = fields.object();
        Map<Integer, Float> byToken = LinkedHashMap.newLinkedHashMap(biases.size());
        for (Map.Entry<String, JsonNode> bias : biases.properties()) {
            double value =
                    JsonFields.number(bias.getValue(), fields.path(bias.getKey()), SamplingLimit.LOGIT_BIAS.range());
            byToken.put(tokenId(body, bias.getKey(), model), (float) value);
        }
        return byToken;
    }

    private static int tokenId(JsonFields body, String key, ModelDescription model) {
        int id = key.matches("\\d{1,9}") ? Integer.parseInt(key) : -1;
        if (id < 0 || id >= model.vocabularySize()) {
            throw body.invalid(
                    "logit_bias", "must have token ids between 0 and %d as keys".formatted(model.vocabularySize() - 1));
        }
        return id;
    }
}
