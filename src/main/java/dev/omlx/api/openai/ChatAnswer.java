package dev.omlx.api.openai;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.engine.api.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects one answer's events into its whole response. For one request, and for one thread at a time. */
final class ChatAnswer {
    private final ChatCompletionRequest request;
    private final long created;
    private final List<ChoiceBuffer> buffers;
    private final List<StringBuilder> reasoning;
    private final List<List<ToolCallBody>> calls;
    private final @Nullable FinishReason[] reasons;
    private @Nullable Usage usage;

    /** @param created when the answer began, in seconds since 1970 */
    ChatAnswer(ChatCompletionRequest request, long created) {
        this.request = request;
        this.created = created;
        this.buffers = perChoice(ChoiceBuffer::new);
        this.reasoning = perChoice(StringBuilder::new);
        this.calls = perChoice(ArrayList::new);
        this.reasons = new FinishReason[request.choices()];
    }

    private <T> List<T> perChoice(Supplier<T> supplier) {
        return Stream.generate(supplier).limit(request.choices()).toList();
    }

    void add(GenerationEvent event) {
        switch (event) {
            case Started started -> {}
            case Delta delta -> buffers.get(delta.choice()).add(delta);
            case ReasoningDelta delta -> reasoning.get(delta.choice()).append(delta.text());
            case ToolCall call -> calls.get(call.choice()).add(ToolCallBody.of(call));
            case ChoiceFinished finished -> reasons[finished.choice()] = finished.reason();
            case Completed completed -> usage = completed.usage();
        }
    }

    /** The response, once all events are in. */
    ChatCompletion response() {
        if (usage == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        List<ChatCompletion.Choice> choices = new ArrayList<>(buffers.size());
        for (int i = 0; i < buffers.size(); i++) {
            choices.add(choice(i));
        }
        return new ChatCompletion(
                request.generation().id(),
                ChatCompletion.OBJECT,
                created,
                request.model().id(),
                Fingerprint.of(request.model()),
                choices,
                UsageBody.of(usage));
    }

    private ChatCompletion.Choice choice(int index) {
        FinishReason reason = reasons[index];
        if (reason == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        ChoiceBuffer.Content content = buffers.get(index).take();
        return new ChatCompletion.Choice(
                index,
                ChatCompletion.Message.of(content.text(), reasoning.get(index).toString(), calls.get(index)),
                request.logprobs() ? LogprobsBody.of(content.tokens()) : null,
                FinishReasons.of(reason));
    }
}
