package dev.omlx.engine;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.text.ChatRequest;
import dev.omlx.text.ModelText;
import dev.omlx.text.PromptEncoder;
import dev.omlx.text.TextException;
import dev.omlx.text.Tokenizer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The text side of a model that is loaded: makes token ids out of prompts. Safe from any thread. */
final class LoadedModel implements AutoCloseable {
    private final ModelDescription description;
    private final ModelText text;
    private final @Nullable PromptEncoder encoder;
    /** Bytes of the longest token: no text of more than that many characters is a single one. */
    private final int longestToken;

    LoadedModel(ModelDescription description, ModelText text) {
        this.description = description;
        this.text = text;
        this.longestToken = IntStream.range(0, text.tokenizer().vocabularySize())
                .map(id -> text.tokenizer().tokenBytes(id).length)
                .reduce(1, Math::max);
        this.encoder = text.hasChatTemplate() ? new PromptEncoder(text.tokenizer(), text.chatTemplate()) : null;
    }

    ModelDescription description() {
        return description;
    }

    Tokenizer tokenizer() {
        return text.tokenizer();
    }

    /** The tokens that end an answer, those included whose text a stop text spells: they never show in the text. */
    Set<Integer> endTokens(StopConditions stop) {
        Set<Integer> ends = new HashSet<>(stop.stopTokenIds());
        if (!stop.ignoreEos()) {
            ends.addAll(tokenizer().eosIds());
        }
        for (String text : stop.stops()) {
            tokenizer().idOf(text).stream().filter(tokenizer()::isSpecial).forEach(ends::add);
        }
        return ends;
    }

    /**
     * The prompt's token ids, at least one and fewer than the context's length.
     *
     * @throws EngineException if the prompt cannot be served
     */
    int[] encode(Prompt prompt) {
        int[] ids = tokens(prompt);
        if (ids.length >= description.contextLength()) {
            throw new EngineException.ContextLengthExceeded(field(prompt), ids.length, description.contextLength());
        }
        return ids;
    }

    /**
     * The prompt's token ids, at least one, as many as they may be.
     *
     * @throws EngineException if there are none, or if they are too many by far
     */
    int[] tokens(Prompt prompt) {
        int[] ids = switch (prompt) {
            case Prompt.Chat chat -> encode(chat);
            case Prompt.Text plain -> encode(plain);
            case Prompt.Tokens tokens -> checked(tokens.ids());
        };
        if (ids.length == 0) {
            throw new EngineException.InvalidRequest(field(prompt), "the prompt is empty");
        }
        return ids;
    }

    private static String field(Prompt prompt) {
        return prompt instanceof Prompt.Chat ? "messages" : "prompt";
    }

    private int[] encode(Prompt.Text plain) {
        requirePlausibleLength(plain, plain.text().length());
        return tokenizer().frame(tokenizer().encode(plain.text()));
    }

    private int[] encode(Prompt.Chat chat) {
        if (encoder == null) {
            throw new EngineException.InvalidRequest(
                    "messages", "the model '" + description.id() + "' has no chat template, it only completes text");
        }
        requirePlausibleLength(chat);
        try {
            return encode(encoder, chat, null);
        } catch (TextException e) {
            if (e.kind() == TextException.Kind.TEMPLATE_FAILED && hasNullContent(chat)) {
                // many templates take it for granted that every message has a text
                return encodeWithTexts(encoder, chat);
            }
            throw refused(e);
        }
    }

    private static int[] encodeWithTexts(PromptEncoder encoder, Prompt.Chat chat) {
        try {
            return encode(encoder, chat, "");
        } catch (TextException e) {
            throw refused(e);
        }
    }

    private static EngineException refused(TextException e) {
        return new EngineException.InvalidRequest("messages", String.valueOf(e.getMessage()));
    }

    private static int[] encode(PromptEncoder encoder, Prompt.Chat chat, @Nullable String forNull) {
        List<Map<String, @Nullable Object>> messages = chat.messages().stream()
                .map(message -> variables(message, forNull))
                .toList();
        String start = chat.answerStart();
        return encoder.encode(
                        new ChatRequest(messages, chat.tools(), true, chat.templateArguments()),
                        start == null ? "" : start)
                .ids();
    }

    private static boolean hasNullContent(Prompt.Chat chat) {
        return chat.messages().stream().anyMatch(message -> message.content() == null);
    }

    /** Refuses without encoding what is too long by far, since encoding megabytes takes seconds. */
    private void requirePlausibleLength(Prompt.Chat chat) {
        long bytes = chat.messages().stream()
                .map(ChatMessage::content)
                .filter(Objects::nonNull)
                .mapToLong(String::length)
                .sum();
        requirePlausibleLength(chat, bytes);
    }

    private void requirePlausibleLength(Prompt prompt, long length) {
        long least = length / longestToken;
        if (least >= description.contextLength()) {
            throw EngineException.ContextLengthExceeded.byFar(
                    field(prompt), (int) Math.min(least, Integer.MAX_VALUE), description.contextLength());
        }
    }

    private static Map<String, @Nullable Object> variables(ChatMessage message, @Nullable String forNull) {
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        variables.put("role", message.role());
        variables.put("content", message.content() == null ? forNull : message.content());
        if (message.reasoning() != null) {
            variables.put("reasoning_content", message.reasoning());
        }
        if (!message.toolCalls().isEmpty()) {
            variables.put(
                    "tool_calls",
                    message.toolCalls().stream().map(LoadedModel::variables).toList());
        }
        if (message.toolCallId() != null) {
            variables.put("tool_call_id", message.toolCallId());
        }
        if (message.name() != null) {
            variables.put("name", message.name());
        }
        return variables;
    }

    private static Map<String, Object> variables(ChatMessage.ToolCall call) {
        return Map.of(
                "id", call.id(),
                "type", "function",
                "function", Map.of("name", call.name(), "arguments", call.arguments()));
    }

    private int[] checked(List<Integer> ids) {
        for (int id : ids) {
            if (id < 0 || id >= description.vocabularySize()) {
                throw new EngineException.InvalidRequest(
                        "prompt", "token id " + id + " is not in the vocabulary of " + description.vocabularySize());
            }
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public void close() {
        text.close();
    }
}
