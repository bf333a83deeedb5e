package dev.omlx.engine;

import dev.omlx.engine.api.ChatMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages as chat templates see them. The order of the fields never changes, since a template may show a whole object as
 * JSON, and a prompt that is spelled otherwise shares nothing with the one before.
 */
final class MessageVariables {
    private MessageVariables() {}

    /** @param forNull what a message without content has instead */
    static List<Map<String, @Nullable Object>> of(List<ChatMessage> messages, @Nullable String forNull) {
        return messages.stream().map(message -> of(message, forNull)).toList();
    }

    private static Map<String, @Nullable Object> of(ChatMessage message, @Nullable String forNull) {
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        variables.put("role", message.role());
        variables.put("content", message.content() == null ? forNull : message.content());
        if (message.reasoning() != null) {
            variables.put("reasoning_content", message.reasoning());
        }
        if (!message.toolCalls().isEmpty()) {
            variables.put(
                    "tool_calls",
                    message.toolCalls().stream().map(MessageVariables::of).toList());
        }
        if (message.toolCallId() != null) {
            variables.put("tool_call_id", message.toolCallId());
        }
        if (message.name() != null) {
            variables.put("name", message.name());
        }
        return variables;
    }

    private static Map<String, Object> of(ChatMessage.ToolCall call) {
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", call.name());
        function.put("arguments", call.arguments());
        Map<String, Object> variables = new LinkedHashMap<>();
        variables.put("id", call.id());
        variables.put("type", "function");
        variables.put("function", function);
        return variables;
    }
}
