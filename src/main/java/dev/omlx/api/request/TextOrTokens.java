package dev.omlx.api.request;

import dev.omlx.engine.api.Prompt;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A field that holds a text or tokens, or several of either: {@code string}, {@code string[]}, {@code int[]}, {@code int[][]}. */
public final class TextOrTokens {
    private static final String SHAPES =
            "must be a string, an array of strings, an array of token ids, or an array of these";

    private TextOrTokens() {}

    /**
     * Reads the field, which is required.
     *
     * @param vocabulary number of token ids
     * @param most texts that are taken at once
     * @return at least one
     */
    public static List<Prompt> read(JsonFields body, String name, int vocabulary, int most) {
        JsonNode value = body.value(name);
        if (value == null) {
            throw body.invalid(name, "is required");
        }
        if (value.isString()) {
            return List.of(new Prompt.Text(value.stringValue()));
        }
        if (!value.isArray()) {
            throw body.invalid(name, SHAPES);
        }
        if (value.isEmpty()) {
            throw body.invalid(name, "must not be empty");
        }
        if (value.get(0).isNumber()) {
            return List.of(tokens(value, body.path(name), vocabulary));
        }
        if (value.size() > most) {
            throw body.invalid(name, "must have at most %d elements".formatted(most));
        }
        List<Prompt> all = new ArrayList<>(value.size());
        for (int i = 0; i < value.size(); i++) {
            all.add(element(value.get(i), value.get(0).isString(), body.path(name, i), vocabulary));
        }
        return all;
    }

    private static Prompt element(JsonNode value, boolean text, String path, int vocabulary) {
        if (text && value.isString()) {
            return new Prompt.Text(value.stringValue());
        }
        if (!text && value.isArray()) {
            return tokens(value, path, vocabulary);
        }
        throw JsonFields.invalidAt(path, text ? "must be a string, as the first element is" : SHAPES);
    }

    private static Prompt.Tokens tokens(JsonNode ids, String path, int vocabulary) {
        if (ids.isEmpty()) {
            throw JsonFields.invalidAt(path, "must not be empty");
        }
        List<Integer> tokens = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            tokens.add(JsonFields.integer(ids.get(i), "%s[%d]".formatted(path, i), 0, vocabulary - 1));
        }
        return new Prompt.Tokens(tokens);
    }
}
