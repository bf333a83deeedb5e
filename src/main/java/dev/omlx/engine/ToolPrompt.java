package dev.omlx.engine;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import dev.omlx.engine.api.Prompt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Shows tools to models whose chat template ignores them: their declarations become part of the system message, calls
 * and results text of the turns they belong to, in the way of Hermes, which most models have seen.
 */
final class ToolPrompt {
    private static final String SYSTEM = "system";
    private static final String TOOL = "tool";

    private ToolPrompt() {}

    /** The same conversation without tools other than in its text. */
    static Prompt.Chat spelledOut(Prompt.Chat chat) {
        List<ChatMessage> messages = new ArrayList<>();
        boolean afterResult = false;
        for (ChatMessage message : chat.messages()) {
            boolean result = message.role().equals(TOOL);
            if (result && afterResult) {
                // templates may insist on roles that take turns
                messages.add(ChatMessage.user(text(messages.removeLast()) + "\n" + result(message)));
            } else {
                messages.add(result ? ChatMessage.user(result(message)) : message(message));
            }
            afterResult = result;
        }
        if (!chat.tools().isEmpty()) {
            declare(chat.tools(), messages);
        }
        return new Prompt.Chat(messages, List.of(), chat.templateArguments(), chat.answerStart());
    }

    private static void declare(List<Map<String, Object>> tools, List<ChatMessage> messages) {
        String declaration = declaration(tools);
        ChatMessage first = messages.getFirst();
        if (first.role().equals(SYSTEM)) {
            messages.set(0, ChatMessage.of(SYSTEM, text(first) + "\n\n" + declaration));
        } else {
            messages.addFirst(ChatMessage.of(SYSTEM, declaration));
        }
    }

    private static String declaration(List<Map<String, Object>> tools) {
        return "You may call functions to help the user. These are their declarations, one a line:\n<tools>\n"
                + tools.stream().map(ToolPrompt::json).collect(Collectors.joining("\n"))
                + "\n</tools>\nTo call one, write a JSON object with its name and arguments within tags:\n<tool_call>\n"
                + "{\"name\": \"the function\", \"arguments\": {\"the argument\": \"its value\"}}\n</tool_call>";
    }

    private static ChatMessage message(ChatMessage message) {
        if (message.toolCalls().isEmpty()) {
            return message;
        }
        String calls = message.toolCalls().stream().map(ToolPrompt::call).collect(Collectors.joining("\n"));
        String text = text(message);
        return new ChatMessage(
                message.role(),
                text.isEmpty() ? calls : text + "\n" + calls,
                message.reasoning(),
                List.of(),
                null,
                message.name());
    }

    private static String result(ChatMessage message) {
        return "<tool_response>\n" + text(message) + "\n</tool_response>";
    }

    private static String call(ToolCall call) {
        return "<tool_call>\n{\"name\": " + json(call.name()) + ", \"arguments\": " + call.arguments()
                + "}\n</tool_call>";
    }

    private static String text(ChatMessage message) {
        return message.content() == null ? "" : message.content();
    }

    private static String json(Object value) {
        return JsonMapper.shared().writeValueAsString(value);
    }
}
