package dev.omlx.engine;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.ModelDescription;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.parse.OutputFormat;
import dev.omlx.text.ModelText;
import dev.omlx.text.Tokenizer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The text side of a model that is loaded: makes token ids out of prompts. Safe from any thread. */
final class LoadedModel implements AutoCloseable {
    private final ModelDescription description;
    private final ModelText text;
    private final @Nullable ChatPrompts chats;
    /** Bytes of the longest token: no text of more than that many characters is a single one. */
    private final int longestToken;

    /**
     * A model that is loaded.
     *
     * @param description all that the text side need not be asked for
     * @param output how the model writes, given what its chat template shows
     */
    LoadedModel(ModelDescription description, ModelText text, UnaryOperator<OutputFormat> output) {
        this.text = text;
        this.longestToken = IntStream.range(0, text.tokenizer().vocabularySize())
                .map(id -> text.tokenizer().tokenBytes(id).length)
                .reduce(1, Math::max);
        this.chats = text.hasChatTemplate() ? new ChatPrompts(text, output) : null;
        this.description = description.with(chats == null ? Set.of() : chats.capabilities());
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
     * The prompt, at least one token and fewer than the context's length.
     *
     * @throws EngineException if the prompt cannot be served
     */
    PreparedPrompt prepare(Prompt prompt) {
        PreparedPrompt prepared = read(prompt);
        int length = prepared.ids().length;
        if (length >= description.contextLength()) {
            throw new EngineException.ContextLengthExceeded(prompt.field(), length, description.contextLength());
        }
        return prepared;
    }

    /**
     * The number of the prompt's tokens, at least one, as many as they may be.
     *
     * @throws EngineException if there are none, or if they are too many by far
     */
    int count(Prompt prompt) {
        return read(prompt).ids().length;
    }

    private PreparedPrompt read(Prompt prompt) {
        PreparedPrompt prepared = switch (prompt) {
            case Prompt.Chat chat -> prepare(chat);
            case Prompt.Text plain -> new PreparedPrompt(encode(plain));
            case Prompt.Tokens tokens -> new PreparedPrompt(checked(tokens.ids()));
        };
        if (prepared.ids().length == 0) {
            throw new EngineException.InvalidRequest(prompt.field(), "the prompt is empty");
        }
        return prepared;
    }

    private int[] encode(Prompt.Text plain) {
        requirePlausibleLength(plain, plain.text().length());
        return tokenizer().frame(tokenizer().encode(plain.text()));
    }

    private PreparedPrompt prepare(Prompt.Chat chat) {
        if (chats == null) {
            throw new EngineException.InvalidRequest(
                    chat.field(), "the model '" + description.id() + "' has no chat template, it only completes text");
        }
        requirePlausibleLength(chat);
        return chats.prepare(chat);
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
                    prompt.field(), (int) Math.min(least, Integer.MAX_VALUE), description.contextLength());
        }
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
