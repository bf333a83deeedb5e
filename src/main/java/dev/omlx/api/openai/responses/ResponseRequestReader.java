package dev.omlx.api.openai.responses;

import dev.omlx.api.error.RequestId;
import dev.omlx.api.http.Caller;
import dev.omlx.api.openai.StreamFields;
import dev.omlx.api.openai.TemplateFields;
import dev.omlx.api.openai.ThinkingBudgetFields;
import dev.omlx.api.openai.ToolFields;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.PriorityField;
import dev.omlx.api.request.SamplingFields;
import dev.omlx.api.request.ToolShape;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Reads the bodies of {@code POST /v1/responses} and {@code /v1/responses/input_tokens}. Fields that it does not know are
 * ignored, such as {@code client_metadata} and {@code context_management}.
 */
final class ResponseRequestReader {
    static final String ID_PREFIX = "resp_";

    private static final String PREVIOUS = "previous_response_id";
    private static final String LOGPROBS = "message.output_text.logprobs";

    private final ModelLookup models;
    private final ResponseStore store;

    ResponseRequestReader(ModelLookup models, ResponseStore store) {
        this.models = models;
        this.store = store;
    }

    ResponseRequest read(JsonFields body, HttpHeaders headers, Caller caller) {
        ModelDescription model = models.find(body.string("model"));
        Settings settings = Settings.read(body);
        Exchange previous = previous(body, caller);
        List<Item> input = input(body, caller);
        GenerationRequest generation = new GenerationRequest(
                RequestId.random(ID_PREFIX),
                model.id(),
                prompt(body, settings, previous, input),
                SamplingFields.sampling(body, model),
                SamplingFields.stop(body, model, settings.maxOutputTokens())
                        .afterToolCall(!settings.parallelToolCalls())
                        .thinkingAtMost(ThinkingBudgetFields.read(body)),
                output(body, settings),
                PriorityField.read(body, headers));
        return new ResponseRequest(generation, model, previous, input, settings, StreamFields.read(body).stream());
    }

    /** The model of a request that asks for nothing to be generated. */
    ModelDescription model(JsonFields body) {
        return models.find(body.string("model"));
    }

    /** What the model is shown. */
    Prompt.Chat prompt(JsonFields body, Caller caller) {
        return prompt(body, Settings.read(body), previous(body, caller), input(body, caller));
    }

    private static Prompt.Chat prompt(
            JsonFields body, Settings settings, @Nullable Exchange previous, List<Item> input) {
        List<Item> items = new ArrayList<>(previous == null ? List.of() : previous.history());
        items.addAll(input);
        List<ChatMessage> messages = Conversation.of(settings.instructions(), items);
        if (items.isEmpty() || messages.isEmpty()) {
            throw body.invalid(ItemFields.INPUT, "is required: a string, or at least one item that a model can read");
        }
        return new Prompt.Chat(
                messages,
                ToolFields.read(body, ToolShape.FLAT),
                TemplateFields.read(body, settings.reasoning().effort()));
    }

    private @Nullable Exchange previous(JsonFields body, Caller caller) {
        String id = body.string(PREVIOUS);
        return id == null
                ? null
                : store.find(caller, id)
                        .map(StoredResponse::exchange)
                        .orElseThrow(
                                () -> body.invalid(
                                        PREVIOUS,
                                        "names a response that is not kept (any more); send the whole conversation as 'input'"));
    }

    private List<Item> input(JsonFields body, Caller caller) {
        return ItemFields.read(body, id -> store.item(caller, id));
    }

    private static OutputOptions output(JsonFields body, Settings settings) {
        boolean logprobs = body.strings("include").contains(LOGPROBS) || settings.topLogprobs() > 0;
        return new OutputOptions(1, logprobs, settings.topLogprobs());
    }
}
