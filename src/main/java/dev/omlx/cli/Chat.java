package dev.omlx.cli;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** A conversation with the default model. For one thread. */
final class Chat {
    private final InferenceEngine engine;
    private final @Nullable String system;
    private final SamplingOptions sampling;
    private final StopConditions stop;
    private final List<ChatMessage> messages = new ArrayList<>();
    private int requests;

    /** @param system what the model is told before the conversation, if anything */
    Chat(InferenceEngine engine, @Nullable String system, SamplingOptions sampling, StopConditions stop) {
        this.engine = engine;
        this.system = system;
        this.sampling = sampling;
        this.stop = stop;
        reset();
    }

    /** Forgets all turns. */
    void reset() {
        messages.clear();
        if (system != null) {
            messages.add(ChatMessage.of("system", system));
        }
    }

    /** Asks for the answer to the next turn. It becomes part of the conversation by {@link #keep}. */
    Flux<GenerationEvent> ask(String text) {
        List<ChatMessage> next = new ArrayList<>(messages);
        next.add(ChatMessage.user(text));
        return engine.generate(new GenerationRequest(
                "run-" + ++requests, null, Prompt.Chat.of(next), sampling, stop, OutputOptions.DEFAULT));
    }

    /** Makes a turn and its answer, or as much as came of it, part of the conversation. */
    void keep(String text, String answer) {
        messages.add(ChatMessage.user(text));
        messages.add(ChatMessage.assistant(answer));
    }

    /** The conversation so far. */
    List<ChatMessage> messages() {
        return List.copyOf(messages);
    }
}
