package dev.omlx.api.openai;

import dev.omlx.api.error.RequestId;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.PriorityField;
import dev.omlx.api.request.SamplingFields;
import dev.omlx.api.request.ThinkingArguments;
import dev.omlx.api.request.ToolShape;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Reads the body of {@code POST /v1/chat/completions}. Fields that it does not know are ignored. */
final class ChatRequestReader {
    private static final int MAX_CHOICES = 128;
    private static final int MAX_TOP_LOGPROBS = 20;
    private static final String ID_PREFIX = "chatcmpl-";

    private final ModelLookup models;

    ChatRequestReader(ModelLookup models) {
        this.models = models;
    }

    ChatCompletionRequest read(JsonFields body, HttpHeaders headers) {
        ModelDescription model = models.find(body.string("model"));
        UnservedFields.refuse(body);
        GenerationRequest generation = new GenerationRequest(
                RequestId.random(ID_PREFIX),
                model.id(),
                prompt(body),
                SamplingFields.sampling(body, model),
                SamplingFields.stop(body, model, maxTokens(body))
                        .afterToolCall(!ToolFields.parallel(body))
                        .thinkingAtMost(ThinkingBudgetFields.read(body)),
                output(body),
                PriorityField.read(body, headers));
        StreamFields stream = StreamFields.read(body);
        return new ChatCompletionRequest(generation, model, stream.stream(), stream.includeUsage());
    }

    private static Prompt.Chat prompt(JsonFields body) {
        List<ChatMessage> messages = MessageFields.read(body);
        List<Map<String, Object>> tools = ToolFields.read(body, ToolShape.NESTED);
        Map<String, Object> arguments = TemplateFields.read(body, ThinkingArguments.effort(body, "reasoning_effort"));
        return ContinuedMessage.isAsked(body, messages)
                ? Prompt.Chat.continuing(messages, tools, arguments)
                : new Prompt.Chat(messages, tools, arguments);
    }

    private static @Nullable Integer maxTokens(JsonFields body) {
        Integer older = SamplingFields.maxTokens(body, "max_tokens");
        Integer newer = SamplingFields.maxTokens(body, "max_completion_tokens");
        return newer == null ? older : newer;
    }

    private static OutputOptions output(JsonFields body) {
        boolean logprobs = body.flag("logprobs", false);
        Integer top = body.integer("top_logprobs", 0, MAX_TOP_LOGPROBS);
        if (top != null && !logprobs) {
            throw body.invalid("top_logprobs", "is only allowed when 'logprobs' is true");
        }
        return new OutputOptions(body.integer("n", 1, MAX_CHOICES, 1), logprobs, top == null ? 0 : top);
    }
}
