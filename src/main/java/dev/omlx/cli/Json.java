package dev.omlx.cli;

import dev.omlx.api.request.Surrogates;
import dev.omlx.files.JsonFailures;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads an array from a command's input and writes the array of what was made of each element to its output. */
final class Json {
    /** ASCII with escapes: survives every terminal and pipe, and can say half a surrogate pair. */
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private Json() {}

    /**
     * The elements of the array on the input.
     *
     * @param what they are, for messages, such as "texts"
     * @throws BadInputException if the input is not a JSON array
     */
    static List<JsonNode> readArray(Streams streams, String what) {
        JsonNode root = parse(streams);
        if (!root.isArray()) {
            throw new BadInputException("the input is to be a JSON array of " + what + ", and is " + kind(root));
        }
        return List.copyOf(root.values());
    }

    /** Reads each element, given its place for messages. */
    static <T> List<T> map(List<JsonNode> elements, BiFunction<JsonNode, String, T> element) {
        return IntStream.range(0, elements.size())
                .mapToObj(i -> element.apply(elements.get(i), "element " + i))
                .toList();
    }

    static void write(Streams streams, Object value) {
        streams.out().println(MAPPER.writeValueAsString(value));
    }

    static String string(JsonNode node, String place) {
        require(node, node.isString(), place, "a string");
        if (Surrogates.broken(node) != null) {
            throw new BadInputException(place + " of the input holds half a surrogate pair, which is no text");
        }
        return node.asString();
    }

    /** @param bound one more than the largest id, {@link Integer#MAX_VALUE} where it is not known */
    static int[] ids(JsonNode node, String place, int bound) {
        require(node, node.isArray(), place, "an array of token ids");
        String expected = "a token id from 0" + (bound == Integer.MAX_VALUE ? "" : " to " + (bound - 1));
        int[] ids = new int[node.size()];
        for (int i = 0; i < ids.length; i++) {
            JsonNode id = node.get(i);
            boolean valid = id.isInt() && id.asInt() >= 0 && id.asInt() < bound;
            ids[i] = require(id, valid, "[" + i + "] of " + place, expected).asInt();
        }
        return ids;
    }

    static JsonNode object(JsonNode node, String place) {
        return require(node, node.isObject(), place, "an object");
    }

    static <T> T convert(JsonNode node, Class<T> type) {
        return MAPPER.treeToValue(node, type);
    }

    static JsonNode require(JsonNode node, boolean valid, String place, String expected) {
        if (!valid) {
            throw new BadInputException(place + " of the input is to be " + expected + ", and is " + kind(node));
        }
        return node;
    }

    private static JsonNode parse(Streams streams) {
        try {
            return MAPPER.readTree(streams.in());
        } catch (JacksonException failure) {
            throw new BadInputException("the input " + JsonFailures.describe(failure));
        }
    }

    private static String kind(JsonNode node) {
        return switch (node.getNodeType()) {
            case MISSING -> "empty";
            case NUMBER -> node.asString();
            default -> "of type " + node.getNodeType().name().toLowerCase(Locale.ROOT);
        };
    }
}
