package dev.omlx.api.openai.responses;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.ChatMessage.ToolCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns items into the messages of a conversation. What an assistant thought, said and called without a break is one
 * message.
 */
final class Conversation {
    private static final String ASSISTANT = "assistant";

    private final List<ChatMessage> messages = new ArrayList<>();

    // the assistant's message that is being put together
    private final List<String> thoughts = new ArrayList<>();
    private final List<ToolCall> calls = new ArrayList<>();
    private @Nullable String text;

    private Conversation() {}

    /** @param instructions what comes first; null for nothing */
    static List<ChatMessage> of(@Nullable String instructions, List<Item> items) {
        Conversation conversation = new Conversation();
        if (instructions != null) {
            conversation.messages.add(ChatMessage.of("system", instructions));
        }
        items.forEach(item -> conversation.add(item.part()));
        conversation.endTurn();
        return conversation.messages;
    }

    private void add(Item.Part part) {
        switch (part) {
            case Item.Message message -> add(message);
            case Item.Thoughts more -> {
                if (hasAnswered()) {
                    endTurn();
                }
                if (!more.text().isEmpty()) {
                    thoughts.add(more.text());
                }
            }
            case Item.Call call -> calls.add(call.call());
            case Item.Result result ->
                addTurn(new ChatMessage("tool", result.text(), null, List.of(), result.callId(), null));
        }
    }

    private void add(Item.Message message) {
        if (!message.role().equals(ASSISTANT)) {
            addTurn(ChatMessage.of(message.role(), message.text()));
            return;
        }
        if (hasAnswered()) {
            endTurn();
        }
        text = message.text();
    }

    private boolean hasAnswered() {
        return text != null || !calls.isEmpty();
    }

    private void addTurn(ChatMessage message) {
        endTurn();
        messages.add(message);
    }

    private void endTurn() {
        if (!hasAnswered() && thoughts.isEmpty()) {
            return;
        }
        messages.add(new ChatMessage(
                ASSISTANT,
                text == null && calls.isEmpty() ? "" : text,
                thoughts.isEmpty() ? null : String.join("\n", thoughts),
                calls,
                null,
                null));
        thoughts.clear();
        calls.clear();
        text = null;
    }
}
