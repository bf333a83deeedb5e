package dev.omlx.api.anthropic;

import dev.omlx.api.request.JsonFields;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The fields {@code system} and {@code messages}, as turns of a conversation. */
final class TurnFields {
    static final String ASSISTANT = "assistant";

    private static final String SYSTEM = "system";
    private static final String USER = "user";
    private static final String TOOL = "tool";

    private TurnFields() {}

    /** All turns in order, at least one. */
    static List<ChatMessage> read(JsonFields body) {
        List<ChatMessage> turns = new ArrayList<>();
        add(turns, SYSTEM, Content.read(body, SYSTEM));
        List<JsonFields> messages = body.objects("messages");
        messages.forEach(message -> add(turns, role(message), Content.read(message, "content")));
        if (turns.stream().allMatch(turn -> turn.role().equals(SYSTEM))) {
            throw body.invalid("messages", "must have at least one message of a user");
        }
        return turns;
    }

    private static String role(JsonFields message) {
        String role = message.requireString("role");
        if (!List.of(SYSTEM, USER, ASSISTANT).contains(role)) {
            throw message.invalid("role", "must be one of assistant, system, user");
        }
        if (!message.has("content")) {
            throw message.invalid("content", "is required");
        }
        return role;
    }

    private static void add(List<ChatMessage> turns, String role, Content content) {
        turns.addAll(content.results);
        String text = content.text();
        switch (role) {
            case ASSISTANT ->
                turns.add(new ChatMessage(
                        role,
                        text.isEmpty() && !content.calls.isEmpty() ? null : text,
                        content.thinking.isEmpty() ? null : String.join("\n", content.thinking),
                        content.calls,
                        null,
                        null));
            case USER -> {
                // results of tools alone are a turn of their own
                if (!text.isEmpty() || content.results.isEmpty()) {
                    turns.add(ChatMessage.user(text));
                }
            }
            default -> {
                if (!text.isEmpty()) {
                    turns.add(ChatMessage.of(role, text));
                }
            }
        }
    }

    /** What the blocks of one message hold. */
    private static final class Content {
        private final List<String> texts = new ArrayList<>();
        private final List<String> thinking = new ArrayList<>();
        private final List<ToolCall> calls = new ArrayList<>();
        private final List<ChatMessage> results = new ArrayList<>();

        static Content read(JsonFields message, String field) {
            Content content = new Content();
            JsonNode value = message.value(field);
            if (value != null && value.isString()) {
                content.texts.add(value.stringValue());
            } else if (value != null && !value.isArray()) {
                throw message.invalid(field, "must be a string or an array of blocks");
            } else {
                message.objects(field).forEach(content::add);
            }
            return content;
        }

        String text() {
            return String.join("\n", texts);
        }

        private void add(JsonFields block) {
            String type = block.requireString("type");
            switch (type) {
                case "text" -> texts.add(block.requireString("text"));
                case "thinking" -> thinking.add(block.requireString("thinking"));
                case "tool_use" -> calls.add(call(block));
                case "tool_result" ->
                    results.add(new ChatMessage(
                            TOOL, result(block), null, List.of(), block.requireString("tool_use_id"), null));
                case "document" -> texts.add(document(block));
                case "search_result" -> texts.add(read(block, "content").text());
                case "image" -> throw block.invalid("type", "is 'image', but this model reads text only");
                // what only another server's tools or models understand
                default -> {}
            }
        }

        private static ToolCall call(JsonFields block) {
            JsonFields input = block.fields("input");
            return new ToolCall(
                    block.requireString("id"),
                    block.requireString("name"),
                    input == null ? "{}" : input.object().toString());
        }

        private static String result(JsonFields block) {
            block.flag("is_error", false);
            return read(block, "content").text();
        }

        private static String document(JsonFields block) {
            JsonFields source = block.requireFields("source");
            @Nullable String title = block.string("title");
            String type = source.requireString("type");
            String text = switch (type) {
                case "text" -> source.requireString("data");
                case "content" -> read(source, "content").text();
                default -> throw source.invalid("type", "is '" + type + "', but this model reads text only");
            };
            return title == null ? text : title + "\n" + text;
        }
    }
}
