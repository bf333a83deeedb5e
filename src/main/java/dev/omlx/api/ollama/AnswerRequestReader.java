package dev.omlx.api.ollama;

import dev.omlx.api.error.RequestId;
import dev.omlx.api.ollama.AnswerRequest.Shape;
import dev.omlx.api.request.FunctionFields;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.PriorityField;
import dev.omlx.api.request.ThinkingArguments;
import dev.omlx.api.request.ToolShape;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.JsonNode;

/**
 * Reads the bodies of {@code POST /api/chat} and {@code /api/generate}. Fields that it does not know are ignored, such as
 * {@code truncate}: a prompt that is too long is always refused.
 */
final class AnswerRequestReader {
    private static final String ID_PREFIX = "ollama-";
    private static final int MAX_TOP_LOGPROBS = 20;
    private static final Set<String> EFFORTS = Set.of("low", "medium", "high");

    private final ModelLookup models;

    AnswerRequestReader(ModelLookup models) {
        this.models = models;
    }

    AnswerRequest chat(JsonFields body, HttpHeaders headers) {
        ModelDescription model = model(body);
        List<ChatMessage> messages = MessageFields.read(body);
        List<Map<String, Object>> tools = FunctionFields.read(body, ToolShape.NESTED);
        Map<String, Object> thinking = thinking(body);
        Prompt prompt = messages.isEmpty() ? null : Prompt.Chat.continuing(messages, tools, thinking);
        return request(Shape.CHAT, body, model, prompt, headers);
    }

    AnswerRequest generate(JsonFields body, HttpHeaders headers) {
        ModelDescription model = model(body);
        for (String field : List.of("template", "suffix")) {
            String text = body.string(field);
            if (text != null && !text.isEmpty()) {
                throw body.invalid(
                        field, "is not supported; the model's own chat template is used, or none with 'raw'");
            }
        }
        if (!body.integers("context", 0, Integer.MAX_VALUE).isEmpty()) {
            throw body.invalid("context", "is not supported; send the conversation to /api/chat");
        }
        MessageFields.refuseImages(body);
        return request(Shape.GENERATE, body, model, prompt(body), headers);
    }

    private ModelDescription model(JsonFields body) {
        return models.find(ModelNames.id(body.requireString("model")));
    }

    private static @Nullable Prompt prompt(JsonFields body) {
        String text = body.string("prompt");
        String system = body.string("system");
        boolean raw = body.flag("raw", false);
        Map<String, Object> thinking = thinking(body);
        if (text == null || text.isEmpty()) {
            return null;
        }
        if (raw) {
            return new Prompt.Text(text);
        }
        List<ChatMessage> messages = new ArrayList<>(2);
        if (system != null && !system.isEmpty()) {
            messages.add(ChatMessage.of("system", system));
        }
        messages.add(ChatMessage.user(text));
        return new Prompt.Chat(messages, List.of(), thinking);
    }

    private static AnswerRequest request(
            Shape shape, JsonFields body, ModelDescription model, @Nullable Prompt prompt, HttpHeaders headers) {
        refuseForms(body);
        readKeepAlive(body, prompt == null);
        JsonFields options = body.fieldsOrNone("options");
        GenerationRequest generation = new GenerationRequest(
                RequestId.random(ID_PREFIX),
                model.id(),
                prompt == null ? new Prompt.Text("") : prompt,
                OptionFields.sampling(options, model),
                OptionFields.stop(options, model),
                output(body),
                PriorityField.read(body, headers));
        return new AnswerRequest(
                shape, body.requireString("model"), prompt == null ? null : generation, body.flag("stream", true));
    }

    /** To ignore them would answer something else than was asked for. */
    private static void refuseForms(JsonFields body) {
        JsonNode format = body.value("format");
        if (format != null && !format.asString("given").isEmpty()) {
            throw body.invalid(
                    "format", "is not supported: it needs constrained decoding, which this server does not have yet");
        }
    }

    private static OutputOptions output(JsonFields body) {
        boolean logprobs = body.flag("logprobs", false);
        int top = body.integer("top_logprobs", 0, MAX_TOP_LOGPROBS, 0);
        return new OutputOptions(1, logprobs, logprobs ? top : 0);
    }

    /** @param nothingElse whether the request asks for nothing to be generated: then 0 means to unload the model */
    private static void readKeepAlive(JsonFields body, boolean nothingElse) {
        JsonNode given = body.value("keep_alive");
        if (given == null) {
            return;
        }
        if (!given.isNumber() && !given.isString()) {
            throw body.invalid("keep_alive", "must be a number of seconds, or a duration such as 5m");
        }
        if (nothingElse && given.asString().matches("0+(\\.0+)?[a-z]*")) {
            throw body.invalid("keep_alive", "cannot be 0: this server keeps its model loaded");
        }
    }

    private static Map<String, Object> thinking(JsonFields body) {
        JsonNode think = body.value("think");
        if (think == null) {
            return Map.of();
        }
        if (think.isBoolean()) {
            return ThinkingArguments.of(think.booleanValue(), null);
        }
        if (!think.isString() || !EFFORTS.contains(think.stringValue())) {
            throw body.invalid("think", "must be true, false, low, medium or high");
        }
        return ThinkingArguments.of(true, think.stringValue());
    }
}
