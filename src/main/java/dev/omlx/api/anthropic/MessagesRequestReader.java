package dev.omlx.api.anthropic;

import dev.omlx.api.error.RequestId;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.PriorityField;
import dev.omlx.api.request.SamplingFields;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingLimit;
import dev.omlx.engine.api.StopConditions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.http.HttpHeaders;

/**
 * Reads the bodies of {@code POST /v1/messages} and {@code /v1/messages/count_tokens}. Fields that it does not know are
 * ignored, such as {@code metadata}, {@code context_management} and {@code cache_control}.
 */
final class MessagesRequestReader {
    private static final String ID_PREFIX = "msg_";
    private static final int MAX_STOPS = 64;
    private static final int LEAST_THINKING = 1;

    private final ModelLookup models;

    MessagesRequestReader(ModelLookup models) {
        this.models = models;
    }

    MessagesRequest read(JsonFields body, HttpHeaders headers) {
        ModelDescription model = models.find(body.requireString("model"));
        Integer maxTokens =
                body.integer("max_tokens", 1, SamplingLimit.MAX_TOKENS.range().lastInt());
        if (maxTokens == null) {
            throw body.invalid("max_tokens", "is required");
        }
        GenerationRequest generation = new GenerationRequest(
                RequestId.random(ID_PREFIX),
                model.id(),
                prompt(body),
                SamplingFields.sampling(body, model),
                new StopConditions(maxTokens, 0, stops(body), Set.of(), false, ToolFields.oneCall(body)),
                OutputOptions.DEFAULT,
                PriorityField.read(body, headers));
        return new MessagesRequest(generation, model, maxTokens, body.flag("stream", false));
    }

    /** The model of a request that asks for nothing to be generated. */
    ModelDescription model(JsonFields body) {
        return models.find(body.requireString("model"));
    }

    /** What the model is shown. */
    Prompt.Chat prompt(JsonFields body) {
        refuseForms(body);
        List<ChatMessage> turns = TurnFields.read(body);
        List<Map<String, Object>> tools = ToolFields.read(body);
        ChatMessage last = turns.getLast();
        boolean begun =
                last.role().equals(TurnFields.ASSISTANT) && last.toolCalls().isEmpty();
        return new Prompt.Chat(
                begun ? turns.subList(0, turns.size() - 1) : turns,
                tools,
                templateArguments(body),
                begun ? last.content() : null);
    }

    /** To ignore them would answer something else than was asked for. */
    private static void refuseForms(JsonFields body) {
        JsonFields config = body.fields("output_config");
        boolean formed = body.has("output_format") || (config != null && config.has("format"));
        if (formed) {
            throw body.invalid(
                    body.has("output_format") ? "output_format" : "output_config.format", "is not supported yet");
        }
    }

    private static List<String> stops(JsonFields body) {
        List<String> stops = body.strings("stop_sequences");
        if (stops.size() > MAX_STOPS) {
            throw body.invalid("stop_sequences", "must have at most %d strings".formatted(MAX_STOPS));
        }
        if (stops.contains("")) {
            throw body.invalid("stop_sequences", "must not hold an empty string");
        }
        return stops;
    }

    /** Whether and how hard to think, in the words that most chat templates know. */
    private static Map<String, Object> templateArguments(JsonFields body) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        JsonFields thinking = body.fields("thinking");
        if (thinking != null) {
            thinking.integer("budget_tokens", LEAST_THINKING, Integer.MAX_VALUE);
            String type = thinking.requireString("type");
            switch (type) {
                case "enabled", "adaptive" -> arguments.put("enable_thinking", true);
                case "disabled" -> arguments.put("enable_thinking", false);
                default -> throw thinking.invalid("type", "must be one of adaptive, disabled, enabled");
            }
        }
        JsonFields config = body.fields("output_config");
        String effort = config == null ? null : config.string("effort");
        if (effort != null) {
            arguments.put("reasoning_effort", effort);
        }
        return arguments;
    }
}
