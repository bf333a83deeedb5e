package dev.omlx.api.ollama;

import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ToolCallFields;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import java.util.List;
import java.util.Set;

/** The field {@code messages}. */
final class MessageFields {
    private static final String ASSISTANT = "assistant";
    private static final Set<String> ROLES = Set.of("system", "user", ASSISTANT, "tool");
    private static final String IMAGES = "images";

    private MessageFields() {}

    static List<ChatMessage> read(JsonFields body) {
        return body.objects("messages").stream().map(MessageFields::message).toList();
    }

    /** @param holder of the field {@code images} */
    static void refuseImages(JsonFields holder) {
        if (holder.hasEntries(IMAGES)) {
            throw holder.invalid(IMAGES, "cannot be read: this model reads text only");
        }
    }

    private static ChatMessage message(JsonFields message) {
        String role = message.requireString("role");
        if (!ROLES.contains(role)) {
            throw message.invalid("role", "must be one of assistant, system, tool, user");
        }
        refuseImages(message);
        List<ToolCall> calls = role.equals(ASSISTANT) ? ToolCallFields.read(message) : List.of();
        String content = message.string("content");
        return new ChatMessage(
                role,
                content == null ? "" : content,
                message.string("thinking"),
                calls,
                message.string("tool_call_id"),
                message.string("tool_name"));
    }
}
