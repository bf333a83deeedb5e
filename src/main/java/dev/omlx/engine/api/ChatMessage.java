package dev.omlx.engine.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A turn of a conversation.
 *
 * @param role {@code system}, {@code user}, {@code assistant} or {@code tool}
 * @param content its text; null where an assistant only called tools
 * @param reasoning what an assistant thought before it answered
 * @param toolCalls calls that an assistant made
 * @param toolCallId which call a tool's message answers
 * @param name the speaker's or tool's name
 */
public record ChatMessage(
        String role,
        @Nullable String content,
        @Nullable String reasoning,
        List<ToolCall> toolCalls,
        @Nullable String toolCallId,
        @Nullable String name) {

    public ChatMessage {
        toolCalls = List.copyOf(toolCalls);
    }

    /** A turn that is text alone. */
    public static ChatMessage of(String role, String content) {
        return new ChatMessage(role, content, null, List.of(), null, null);
    }

    public static ChatMessage user(String content) {
        return of("user", content);
    }

    public static ChatMessage assistant(String content) {
        return of("assistant", content);
    }

    /**
     * A call of a function by the model.
     *
     * @param arguments the text of a JSON object
     */
    public record ToolCall(String id, String name, String arguments) {}
}
