package dev.omlx.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/**
 * What we read ourselves of a {@code tokenizer.json}: the tokens and how they become text. Read as a stream, because
 * the vocabulary and the merges of some models are tens of megabytes.
 */
final class TokenizerFile {

    /** More than any vocabulary has; keeps a broken file from asking for all memory. */
    private static final int MAX_ID = 4_000_000;

    private final String name;
    private final List<AddedToken> addedTokens = new ArrayList<>();
    private @Nullable String[] texts = new String[1 << 15];
    private int size;
    private @Nullable JsonNode decoder;
    private @Nullable JsonNode normalizer;
    private @Nullable JsonNode postProcessor;
    private String subwordPrefix = "";

    private TokenizerFile(String name) {
        this.name = name;
    }

    /**
     * @param name what messages call the file
     * @throws TextException if the file is broken
     */
    static TokenizerFile parse(String name, String json) {
        TokenizerFile file = new TokenizerFile(name);
        try (JsonParser parser = Json.MAPPER.createParser(json)) {
            file.readDocument(parser);
        } catch (JacksonException e) {
            throw Json.malformed(name, e);
        }
        if (file.size == 0) {
            throw TextException.broken(name, "has no vocabulary (model.vocab)");
        }
        return file;
    }

    String name() {
        return name;
    }

    List<AddedToken> addedTokens() {
        return List.copyOf(addedTokens);
    }

    @Nullable
    JsonNode normalizer() {
        return normalizer;
    }

    @Nullable
    JsonNode postProcessor() {
        return postProcessor;
    }

    /** {@code continuing_subword_prefix} of the model, empty if there is none. */
    String subwordPrefix() {
        return subwordPrefix;
    }

    Vocabulary vocabulary() {
        return new Vocabulary(Arrays.copyOf(texts, size), addedTokens, TokenDecoder.of(name, decoder));
    }

    private void readDocument(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw TextException.broken(name, "is not a JSON object");
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            parser.nextToken();
            switch (key) {
                case "added_tokens" -> readAddedTokens(parser.readValueAsTree());
                case "model" -> readModel(parser);
                case "decoder" -> decoder = parser.readValueAsTree();
                case "normalizer" -> normalizer = parser.readValueAsTree();
                case "post_processor" -> postProcessor = parser.readValueAsTree();
                default -> parser.skipChildren();
            }
        }
        if (parser.nextToken() != null) {
            throw TextException.broken(name, "goes on after its JSON object");
        }
        // last, so that they win over the model's vocabulary
        addedTokens.forEach(token -> put(token.id(), token.text()));
    }

    private void readAddedTokens(JsonNode tokens) {
        for (JsonNode token : tokens) {
            JsonNode id = token.path("id");
            String text = token.path("content").asString("");
            if (!id.isInt() || text.isEmpty()) {
                throw TextException.broken(name, "an entry of added_tokens lacks its id or content");
            }
            addedTokens.add(new AddedToken(
                    checked(id.asInt(), text),
                    text,
                    token.path("special").asBoolean(false),
                    token.path("single_word").asBoolean(false)));
        }
    }

    private void readModel(JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw TextException.broken(name, "\"model\" is not an object");
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = parser.currentName();
            JsonToken value = parser.nextToken();
            if (key.equals("vocab") && value == JsonToken.START_OBJECT) {
                readVocabularyByText(parser);
            } else if (key.equals("vocab") && value == JsonToken.START_ARRAY) {
                readVocabularyInOrder(parser);
            } else if (key.equals("continuing_subword_prefix") && value == JsonToken.VALUE_STRING) {
                subwordPrefix = parser.getString();
            } else {
                parser.skipChildren();
            }
        }
    }

    private void readVocabularyByText(JsonParser parser) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String text = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NUMBER_INT) {
                throw TextException.broken(name, "the id of token \"" + text + "\" is not an integer");
            }
            long id = parser.getLongValue();
            put(checked(id, text), text);
        }
    }

    /** Unigram vocabularies are lists of text and score, in the order of the ids. */
    private void readVocabularyInOrder(JsonParser parser) {
        int id = 0;
        while (parser.nextToken() == JsonToken.START_ARRAY) {
            if (parser.nextToken() != JsonToken.VALUE_STRING) {
                throw TextException.broken(name, "entry " + id + " of the vocabulary has no text");
            }
            String text = parser.getString();
            put(checked(id++, text), text);
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                parser.skipChildren();
            }
        }
        if (parser.currentToken() != JsonToken.END_ARRAY) {
            throw TextException.broken(name, "entry " + id + " of the vocabulary is not a list of text and score");
        }
    }

    private int checked(long id, String text) {
        if (id < 0 || id > MAX_ID) {
            throw TextException.broken(name, "the id of token \"" + text + "\" is out of range: " + id);
        }
        return (int) id;
    }

    private void put(int id, String text) {
        if (id >= texts.length) {
            texts = Arrays.copyOf(texts, Math.max(id + 1, texts.length * 2));
        }
        texts[id] = text;
        size = Math.max(size, id + 1);
    }
}
