package dev.omlx.api.openai.responses;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.omlx.api.openai.ForcedForms;
import dev.omlx.api.openai.ToolFields;
import dev.omlx.api.openai.UnservedFields;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.SamplingFields;
import dev.omlx.api.request.ThinkingArguments;
import dev.omlx.engine.api.SamplingLimit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a response repeats of its request, valid.
 *
 * @param tools as they were sent, also those that the model is not shown
 */
record Settings(
        boolean background,
        @Nullable String instructions,
        @Nullable Integer maxOutputTokens,
        @Nullable Integer maxToolCalls,
        Map<String, String> metadata,
        boolean parallelToolCalls,
        @Nullable String previousResponseId,
        @Nullable String promptCacheKey,
        Reasoning reasoning,
        @Nullable String safetyIdentifier,
        String serviceTier,
        boolean store,
        @Nullable Double temperature,
        Text text,
        JsonNode toolChoice,
        JsonNode tools,
        int topLogprobs,
        @Nullable Double topP,
        String truncation,
        @Nullable String user) {
    private static final int MAX_TOP_LOGPROBS = 20;

    /** Fields that ask for what this server does not do, and what to do instead. */
    private static final Map<String, String> UNSUPPORTED = Map.of(
            "conversation", "use 'previous_response_id'",
            "prompt", "send 'instructions' and 'input'");

    static Settings read(JsonFields body) {
        refuse(body);
        body.string("service_tier");
        return new Settings(
                false,
                body.string("instructions"),
                SamplingFields.maxTokens(body, "max_output_tokens"),
                body.integer("max_tool_calls", 1, Integer.MAX_VALUE),
                Metadata.read(body),
                ToolFields.parallel(body),
                body.string("previous_response_id"),
                body.string("prompt_cache_key"),
                Reasoning.read(body.fields("reasoning")),
                body.string("safety_identifier"),
                "default",
                body.flag("store", true),
                body.number("temperature", SamplingLimit.TEMPERATURE.range()),
                Text.read(body.fields("text")),
                orElse(body.value("tool_choice"), JsonNodeFactory.instance.stringNode("auto")),
                orElse(body.value("tools"), JsonNodeFactory.instance.arrayNode()),
                body.integer("top_logprobs", 0, MAX_TOP_LOGPROBS, 0),
                body.number("top_p", SamplingLimit.TOP_P.range()),
                orElse(among(body, "truncation", "auto", "disabled"), "disabled"),
                body.string("user"));
    }

    private static void refuse(JsonFields body) {
        UnservedFields.refuse(body);
        if (body.flag("background", false)) {
            throw body.invalid("background", "cannot be true: this server answers at once");
        }
        for (Map.Entry<String, String> unsupported : UNSUPPORTED.entrySet()) {
            if (body.has(unsupported.getKey())) {
                throw body.invalid(unsupported.getKey(), "is not supported; " + unsupported.getValue());
            }
        }
    }

    private static <T> T orElse(@Nullable T value, T other) {
        return value == null ? other : value;
    }

    private static @Nullable String among(JsonFields fields, String name, String... words) {
        String word = fields.string(name);
        if (word != null && !Arrays.asList(words).contains(word)) {
            throw fields.invalid(name, "must be one of " + String.join(", ", words));
        }
        return word;
    }

    /** @param summary in which words to tell of thoughts; null to give them as they are */
    record Reasoning(@Nullable String effort, @Nullable String summary) {
        private static final String[] SUMMARIES = {"auto", "concise", "detailed"};

        static Reasoning read(@Nullable JsonFields fields) {
            if (fields == null) {
                return new Reasoning(null, null);
            }
            String older = among(fields, "generate_summary", SUMMARIES);
            String summary = among(fields, "summary", SUMMARIES);
            return new Reasoning(ThinkingArguments.effort(fields, "effort"), summary == null ? older : summary);
        }
    }

    record Text(
            Format format,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String verbosity) {
        static Text read(@Nullable JsonFields fields) {
            if (fields == null) {
                return new Text(Format.TEXT, null);
            }
            ForcedForms.requireText(fields, "format");
            return new Text(Format.TEXT, fields.string("verbosity"));
        }
    }

    record Format(String type) {
        static final Format TEXT = new Format("text");
    }

    /** The client's own notes. */
    private static final class Metadata {
        private static final int MOST = 16;
        private static final int LONGEST_KEY = 64;
        private static final int LONGEST_VALUE = 512;

        static Map<String, String> read(JsonFields body) {
            JsonFields fields = body.fields("metadata");
            if (fields == null) {
                return Map.of();
            }
            List<String> keys = List.copyOf(fields.object().propertyNames());
            if (keys.size() > MOST) {
                throw body.invalid("metadata", "must have at most %d pairs".formatted(MOST));
            }
            Map<String, String> pairs = new LinkedHashMap<>();
            for (String key : keys) {
                String value = fields.requireString(key);
                if (key.length() > LONGEST_KEY || value.length() > LONGEST_VALUE) {
                    throw body.invalid(
                            "metadata",
                            "must have keys of at most %d characters and values of at most %d"
                                    .formatted(LONGEST_KEY, LONGEST_VALUE));
                }
                pairs.put(key, value);
            }
            return pairs;
        }
    }
}
