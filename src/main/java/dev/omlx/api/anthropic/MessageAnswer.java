package dev.omlx.api.anthropic;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects one answer's events into its whole message. For one request, and for one thread at a time. */
final class MessageAnswer {
    private final MessagesRequest request;
    private final StringBuilder text = new StringBuilder();
    private @Nullable ChoiceFinished finished;
    private @Nullable Usage usage;

    MessageAnswer(MessagesRequest request) {
        this.request = request;
    }

    void add(GenerationEvent event) {
        switch (event) {
            case Started started -> {}
            case Delta delta -> text.append(delta.text());
            case ChoiceFinished ending -> finished = ending;
            case Completed completed -> usage = completed.usage();
        }
    }

    /** The message, once all events are in. */
    Message message() {
        if (finished == null || usage == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        return Message.of(
                request,
                text.isEmpty() ? List.of() : List.of(new Message.Text(text.toString())),
                Message.Stop.of(finished, usage, request),
                Message.Counts.of(usage));
    }
}
