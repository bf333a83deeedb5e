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
import dev.omlx.engine.api.StopConditions;
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

    private final ModelLookup models;

    MessagesRequestReader(ModelLookup models) {
        this.models = models;
    }

    MessagesRequest read(JsonFields body, HttpHeaders headers) {
        ModelDescription model = models.find(body.requireString("model"));
        Integer maxTokens = SamplingFields.maxTokens(body, "max_tokens");
        if (maxTokens == null) {
            throw body.invalid("max_tokens", "is required");
        }
        GenerationRequest generation = new GenerationRequest(
                RequestId.random(ID_PREFIX),
                model.id(),
                prompt(body),
                SamplingFields.sampling(body, model),
                new StopConditions(maxTokens, 0, stops(body), Set.of(), false)
                        .afterToolCall(ToolFields.oneCall(body))
                        .thinkingAtMost(ThinkingFields.budget(body, headers, maxTokens)),
                OutputOptions.DEFAULT,
                PriorityField.read(body, headers));
        return new MessagesRequest(generation, model, maxTokens, body.flag("stream", false));
    }

    /** The model of a request that asks for nothing to be generated. */
    ModelDescription model(JsonFields body) {
        return models.find(body.requireString("model"));
    }

    /** What the model would be shown, of a request that it is not to answer. */
    Prompt.Chat counted(JsonFields body, HttpHeaders headers) {
        // for their types alone, as they would be refused where the model is to answer
        ToolFields.oneCall(body);
        ThinkingFields.budget(body, headers, Integer.MAX_VALUE);
        return prompt(body);
    }

    private static Prompt.Chat prompt(JsonFields body) {
        refuseForms(body);
        List<ChatMessage> turns = TurnFields.read(body);
        List<Map<String, Object>> tools = ToolFields.read(body);
        return Prompt.Chat.continuing(turns, tools, ThinkingFields.templateArguments(body));
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
        return SamplingFields.stops(body, "stop_sequences", body.strings("stop_sequences"), MAX_STOPS);
    }
}
