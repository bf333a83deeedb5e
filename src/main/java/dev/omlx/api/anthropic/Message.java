package dev.omlx.api.anthropic;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A message on the wire: whole, or as it is when its stream begins. */
record Message(
        String id,
        String type,
        String role,
        String model,
        List<Block> content,
        @Nullable String stopReason,
        @Nullable String stopSequence,
        Counts usage) {

    static Message of(MessagesRequest request, List<Block> content, @Nullable Stop stop, Counts usage) {
        return new Message(
                request.generation().id(),
                "message",
                "assistant",
                request.model().id(),
                content,
                stop == null ? null : stop.stopReason(),
                stop == null ? null : stop.stopSequence(),
                usage);
    }

    /** A part of the content. */
    sealed interface Block {
        String type();
    }

    record Text(String type, String text) implements Block {
        Text(String text) {
            this("text", text);
        }
    }

    /**
     * What the model thought.
     *
     * @param signature clients send it back; nothing hangs on it here
     */
    record Thinking(String type, String thinking, String signature) implements Block {
        static final String SIGNATURE = "unsigned";

        Thinking(String thinking, String signature) {
            this("thinking", thinking, signature);
        }
    }

    /** @param input an object; empty where deltas follow */
    record ToolUse(String type, String id, String name, JsonNode input) implements Block {
        ToolUse(String id, String name, JsonNode input) {
            this("tool_use", id, name, input);
        }
    }

    /** Why a message ended. */
    record Stop(String stopReason, @Nullable String stopSequence) {
        /** @param usage of the answer, which tells a full context from a full measure */
        static Stop of(ChoiceFinished finished, Usage usage, MessagesRequest request) {
            boolean cut = finished.reason() == FinishReason.LENGTH;
            if (cut) {
                boolean full = usage.completionTokens() < request.maxTokens();
                return new Stop(full ? "model_context_window_exceeded" : "max_tokens", null);
            }
            if (finished.reason() == FinishReason.TOOL_CALLS) {
                return new Stop("tool_use", null);
            }
            return finished.stop() == null ? new Stop("end_turn", null) : new Stop("stop_sequence", finished.stop());
        }
    }

    /** Tokens: those of the prompt that came from the cache are not among {@code inputTokens}. */
    record Counts(int inputTokens, int cacheCreationInputTokens, int cacheReadInputTokens, int outputTokens) {
        static Counts of(Usage usage) {
            return new Counts(
                    usage.promptTokens() - usage.cachedTokens(), 0, usage.cachedTokens(), usage.completionTokens());
        }

        /** Before anything was generated. */
        static Counts ofPrompt(int tokens) {
            return new Counts(tokens, 0, 0, 0);
        }
    }
}
