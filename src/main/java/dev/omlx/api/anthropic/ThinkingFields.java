package dev.omlx.api.anthropic;

import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ThinkingArguments;
import dev.omlx.engine.api.SamplingLimit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Whether, how hard and how long to think: the fields {@code thinking} and {@code output_config.effort}. */
final class ThinkingFields {
    private static final String THINKING = "thinking";
    private static final String ENABLED = "enabled";
    private static final String BUDGET = "budget_tokens";
    private static final int LEAST_BUDGET = 1024;
    private static final int MOST_BUDGET = SamplingLimit.MAX_TOKENS.range().lastInt();

    /** With it the budget is one of all turns until the answer, and may be larger than one of them. */
    private static final String INTERLEAVED = "interleaved-thinking";

    private ThinkingFields() {}

    /** The variables for the chat template. */
    static Map<String, Object> templateArguments(JsonFields body) {
        JsonFields thinking = body.fields(THINKING);
        JsonFields config = body.fields("output_config");
        return ThinkingArguments.of(
                thinking == null ? null : thinks(thinking),
                config == null ? null : ThinkingArguments.effort(config, "effort"));
    }

    /** Most tokens to think; null for any number. Other types than {@code enabled} have no budget. */
    static @Nullable Integer budget(JsonFields body, HttpHeaders headers, int maxTokens) {
        JsonFields thinking = body.fields(THINKING);
        if (thinking == null || !thinking.requireString("type").equals(ENABLED)) {
            return null;
        }
        Integer budget = thinking.integer(BUDGET, LEAST_BUDGET, MOST_BUDGET);
        boolean interleaved =
                headers.getOrEmpty(AnthropicHeaders.BETA).stream().anyMatch(names -> names.contains(INTERLEAVED));
        if (budget != null && budget >= maxTokens && !interleaved) {
            throw thinking.invalid(BUDGET, "must be less than 'max_tokens', " + maxTokens);
        }
        return budget;
    }

    private static boolean thinks(JsonFields thinking) {
        return switch (thinking.requireString("type")) {
            case ENABLED, "adaptive" -> true;
            case "disabled" -> false;
            default -> throw thinking.invalid("type", "must be one of adaptive, disabled, enabled");
        };
    }
}
