package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ToolCallFields;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The field {@code messages} of a chat request, and the parts of it that other faces have, too. */
public final class MessageFields {
    private static final String ASSISTANT = "assistant";

    /** Role on the wire to role of the engine. */
    private static final Map<String, String> ROLES = Map.of(
            "system",
            "system",
            "developer",
            "system",
            "user",
            "user",
            ASSISTANT,
            ASSISTANT,
            "tool",
            "tool",
            "function",
            "tool");

    /** Type of a content part that is text, to the part's field that holds it. */
    private static final Map<String, String> TEXT_PARTS =
            Map.of("text", "text", "input_text", "text", "output_text", "text", "refusal", "refusal");

    private static final Set<String> OTHER_PARTS =
            Set.of("image_url", "input_image", "image", "input_audio", "audio_url", "video_url", "file", "input_file");

    private MessageFields() {}

    static List<ChatMessage> read(JsonFields body) {
        List<ChatMessage> messages =
                body.objects("messages").stream().map(MessageFields::message).toList();
        if (messages.isEmpty()) {
            throw body.invalid("messages", "must have at least one message");
        }
        return messages;
    }

    private static ChatMessage message(JsonFields message) {
        String role = ROLES.get(message.requireString("role"));
        if (role == null) {
            throw message.invalid("role", "must be one of assistant, developer, function, system, tool, user");
        }
        List<ToolCall> calls = role.equals(ASSISTANT) ? ToolCallFields.read(message) : List.of();
        String content = first(text(message, "content"), message.string("refusal"));
        if (content == null && calls.isEmpty()) {
            content = "";
        }
        return new ChatMessage(
                role,
                content,
                first(message.string("reasoning_content"), message.string("reasoning")),
                calls,
                message.string("tool_call_id"),
                message.string("name"));
    }

    /** Of two fields that say the same; both have been read, so that neither is of a wrong type. */
    private static @Nullable String first(@Nullable String one, @Nullable String other) {
        return one == null ? other : one;
    }

    /**
     * A text, or the parts that hold one; null if the field is absent.
     *
     * @throws dev.omlx.api.error.ApiException if a part is no text
     */
    public static @Nullable String text(JsonFields message, String name) {
        JsonNode content = message.value(name);
        if (content == null) {
            return null;
        }
        if (content.isString()) {
            return content.stringValue();
        }
        if (!content.isArray()) {
            throw message.invalid(name, "must be a string, an array of parts, or null");
        }
        return String.join(
                "\n", message.objects(name).stream().map(MessageFields::part).toList());
    }

    private static String part(JsonFields part) {
        String type = part.requireString("type");
        String field = TEXT_PARTS.get(type);
        if (field != null) {
            return part.requireString(field);
        }
        if (OTHER_PARTS.contains(type)) {
            throw part.invalid("type", "is '" + type + "', but this model reads text only");
        }
        throw part.invalid("type", "must be text, or another known kind of content");
    }
}
