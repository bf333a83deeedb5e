package dev.omlx.api.openai;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a chat completion's chunk that differ from one to the next. */
final class ChatChunk {
    static final String OBJECT = "chat.completion.chunk";

    private ChatChunk() {}

    record Choice(
            int index,
            Delta delta,
            @Nullable LogprobsBody logprobs,
            @Nullable String finishReason) {}

    /** What a chunk adds to its choice's message. */
    sealed interface Delta {}

    /** The first of a choice. */
    record Opening(String role, String content, @Nullable String refusal) implements Delta {
        static final Opening ASSISTANT = new Opening("assistant", "", null);
    }

    record Text(String content) implements Delta {}

    /** What the model thinks, under both of its names. */
    record Reasoning(String reasoningContent, String reasoning) implements Delta {
        Reasoning(String text) {
            this(text, text);
        }
    }

    /** A part of one tool call. */
    record ToolCalls(List<Call> toolCalls) implements Delta {
        ToolCalls(Call part) {
            this(List.of(part));
        }
    }

    /**
     * Only the first part of a call tells what is called: clients take what is told again for another call.
     *
     * @param index counts the calls of a choice, from 0
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Call(int index, @Nullable String id, @Nullable String type, Function function) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Function(@Nullable String name, String arguments) {}

    /** Adds nothing. */
    record Nothing() implements Delta {
        static final Nothing INSTANCE = new Nothing();
    }
}
