package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import dev.omlx.engine.api.ChatMessage;
import java.util.List;

/**
 * Whether the answer is to continue the last message instead of following it, in the words of several servers' clients:
 * {@code continue_final_message} with {@code add_generation_prompt}, and {@code prefix} in the message itself.
 */
final class ContinuedMessage {
    private static final String CONTINUE = "continue_final_message";
    private static final String OPEN = "add_generation_prompt";
    private static final String PREFIX = "prefix";

    private ContinuedMessage() {}

    /** @throws dev.omlx.api.error.ApiException if there is no message that could be continued */
    static boolean isAsked(JsonFields body, List<ChatMessage> messages) {
        boolean field = body.flag(CONTINUE, false);
        boolean opens = body.flag(OPEN, !field);
        if (field && opens) {
            throw body.invalid(OPEN, "cannot be true where 'continue_final_message' is");
        }
        if (!field && !opens) {
            throw body.invalid(OPEN, "can only be false where 'continue_final_message' is true");
        }
        List<JsonFields> given = body.objects("messages");
        boolean prefix = isPrefix(given);
        boolean continues = field || prefix;
        if (continues && !canContinue(messages)) {
            String problem = "needs a text of the assistant as the last message, behind another message";
            throw prefix ? given.getLast().invalid(PREFIX, problem) : body.invalid(CONTINUE, problem);
        }
        return continues;
    }

    private static boolean isPrefix(List<JsonFields> messages) {
        boolean prefix = false;
        for (JsonFields message : messages) {
            if (prefix) {
                throw message.invalid(PREFIX, "can only be true in the last message, and is in one before");
            }
            prefix = message.flag(PREFIX, false);
        }
        return prefix;
    }

    private static boolean canContinue(List<ChatMessage> messages) {
        ChatMessage last = messages.getLast();
        return messages.size() > 1
                && last.role().equals("assistant")
                && last.toolCalls().isEmpty();
    }
}
