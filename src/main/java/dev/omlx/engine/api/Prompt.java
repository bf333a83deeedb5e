package dev.omlx.engine.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request asks the model to continue. */
public sealed interface Prompt {
    /** The field of a request that holds such a prompt, for errors; a dialect may know it by another name. */
    default String field() {
        return this instanceof Chat ? "messages" : "prompt";
    }

    /**
     * A conversation, rendered by the model's chat template.
     *
     * @param messages in order, never empty
     * @param tools functions the model may call, as the JSON objects of the OpenAI {@code tools} field
     * @param templateArguments further variables for the template (the {@code chat_template_kwargs} field)
     * @param answerStart what the answer begins with, which the model only continues; null for nothing
     */
    record Chat(
            List<ChatMessage> messages,
            List<Map<String, Object>> tools,
            Map<String, Object> templateArguments,
            @Nullable String answerStart)
            implements Prompt {
        /** A conversation whose answer the model begins itself. */
        public Chat(
                List<ChatMessage> messages, List<Map<String, Object>> tools, Map<String, Object> templateArguments) {
            this(messages, tools, templateArguments, null);
        }

        public Chat {
            messages = List.copyOf(messages);
            tools = List.copyOf(tools);
        }

        /**
         * A conversation whose answer begins with its last message, if that is an assistant's text.
         *
         * @param messages never empty
         */
        public static Chat continuing(
                List<ChatMessage> messages, List<Map<String, Object>> tools, Map<String, Object> templateArguments) {
            ChatMessage last = messages.getLast();
            boolean begun = last.role().equals("assistant") && last.toolCalls().isEmpty();
            return new Chat(
                    begun ? messages.subList(0, messages.size() - 1) : messages,
                    tools,
                    templateArguments,
                    begun ? last.content() : null);
        }

        /** The same with other messages, never empty. */
        public Chat with(List<ChatMessage> others) {
            return new Chat(others, tools, templateArguments, answerStart);
        }

        public static Chat of(List<ChatMessage> messages) {
            return new Chat(messages, List.of(), Map.of());
        }
    }

    /** Text to continue as it stands; look-alikes of special tokens are ordinary text. */
    record Text(String text) implements Prompt {}

    /** Token ids to continue, each below the model's vocabulary size. */
    record Tokens(List<Integer> ids) implements Prompt {
        public Tokens {
            ids = List.copyOf(ids);
        }
    }
}
