package dev.omlx.parse;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads values in Gemma's way of writing them: keys are bare, strings stand between marks. Depth must be bounded. */
final class GemmaValues {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final String text;
    private final String quote;
    private int at;

    GemmaValues(String text, String quote) {
        this.text = text;
        this.quote = quote;
    }

    /** The object that the text is; null if it is malformed. */
    @Nullable
    ObjectNode object() {
        JsonNode value = value();
        return value instanceof ObjectNode object && at == text.length() ? object : null;
    }

    private @Nullable JsonNode value() {
        if (take(quote)) {
            String string = upTo(quote);
            return string == null ? null : NODES.stringNode(string);
        }
        if (take("{")) {
            return members();
        }
        if (take("[")) {
            return elements();
        }
        String word = word(",}]");
        return switch (word) {
            case "" -> null;
            case "None" -> NODES.nullNode();
            case "True" -> NODES.booleanNode(true);
            case "False" -> NODES.booleanNode(false);
            // where the model forgot the marks
            default -> bare(word);
        };
    }

    private static JsonNode bare(String word) {
        JsonNode value = Json.read(word);
        return value == null ? NODES.stringNode(word) : value;
    }

    private @Nullable ObjectNode members() {
        ObjectNode object = NODES.objectNode();
        if (take("}")) {
            return object;
        }
        do {
            String key = take(quote) ? upTo(quote) : word(":,}");
            JsonNode value = key == null || key.isEmpty() || !take(":") ? null : value();
            if (value == null) {
                return null;
            }
            object.set(key, value);
        } while (take(","));
        return take("}") ? object : null;
    }

    private @Nullable ArrayNode elements() {
        ArrayNode array = NODES.arrayNode();
        if (take("]")) {
            return array;
        }
        do {
            JsonNode value = value();
            if (value == null) {
                return null;
            }
            array.add(value);
        } while (take(","));
        return take("]") ? array : null;
    }

    private boolean take(String mark) {
        int from = at;
        while (from < text.length() && Character.isWhitespace(text.charAt(from))) {
            from++;
        }
        if (!text.startsWith(mark, from)) {
            return false;
        }
        at = from + mark.length();
        return true;
    }

    private @Nullable String upTo(String mark) {
        int end = text.indexOf(mark, at);
        if (end < 0) {
            return null;
        }
        String found = text.substring(at, end);
        at = end + mark.length();
        return found;
    }

    /** What stands before any of those chars. */
    private String word(String ends) {
        int from = at;
        while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(from, at).strip();
    }
}
