package dev.omlx.api.anthropic;

import dev.omlx.engine.api.EngineException;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Collects one answer's events into its whole message. For one request, and for one thread at a time. */
final class MessageAnswer {
    private final MessagesRequest request;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    private final List<Message.Block> blocks = new ArrayList<>();
    private @Nullable ChoiceFinished finished;
    private @Nullable Usage usage;

    MessageAnswer(MessagesRequest request) {
        this.request = request;
    }

    void add(GenerationEvent event) {
        switch (event) {
            case Started started -> {}
            case Delta delta -> {
                closeThinking();
                text.append(delta.text());
            }
            case ReasoningDelta delta -> {
                closeText();
                thinking.append(delta.text());
            }
            case ToolCall call -> {
                close();
                blocks.add(new Message.ToolUse(
                        call.id(), call.name(), JsonMapper.shared().readTree(call.arguments())));
            }
            case ChoiceFinished ending -> finished = ending;
            case Completed completed -> usage = completed.usage();
        }
    }

    private void close() {
        closeThinking();
        closeText();
    }

    private void closeThinking() {
        if (!thinking.isEmpty()) {
            blocks.add(new Message.Thinking(thinking.toString(), Message.Thinking.SIGNATURE));
            thinking.setLength(0);
        }
    }

    private void closeText() {
        if (!text.isEmpty()) {
            blocks.add(new Message.Text(text.toString()));
            text.setLength(0);
        }
    }

    /** The message, once all events are in. */
    Message message() {
        if (finished == null || usage == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        close();
        return Message.of(
                request, List.copyOf(blocks), Message.Stop.of(finished, usage, request), Message.Counts.of(usage));
    }
}
