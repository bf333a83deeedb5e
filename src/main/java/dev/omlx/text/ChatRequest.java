package dev.omlx.text;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A conversation to render: plain JSON-like data (maps, lists, strings, numbers, booleans, null), in the shape of the
 * OpenAI chat API.
 *
 * @param tools what the model may call; empty for none
 * @param addGenerationPrompt whether the prompt ends where the assistant's answer begins
 * @param variables further template variables, such as {@code enable_thinking}
 */
public record ChatRequest(
        List<? extends Map<String, ? extends @Nullable Object>> messages,
        List<? extends Map<String, ? extends @Nullable Object>> tools,
        boolean addGenerationPrompt,
        Map<String, ? extends @Nullable Object> variables) {

    /** A conversation without tools whose answer is to be generated. */
    public static ChatRequest of(List<? extends Map<String, ? extends @Nullable Object>> messages) {
        return new ChatRequest(messages, List.of(), true, Map.of());
    }
}
