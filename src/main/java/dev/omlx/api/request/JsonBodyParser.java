package dev.omlx.api.request;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Turns the text of a request's body into fields; refuses what is not JSON or no text. */
final class JsonBodyParser {
    /** Some editors and languages put it in front of UTF-8, where it means nothing. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final JsonMapper mapper;

    /** @param maxDepth deepest nesting of arrays and objects */
    JsonBodyParser(int maxDepth) {
        this.mapper = JsonMapper.builder(JsonFactory.builder()
                        .streamReadConstraints(new BodyLimits(maxDepth))
                        .build())
                .build();
    }

    JsonFields parse(String body) {
        JsonNode tree = tree(body.startsWith(BYTE_ORDER_MARK) ? body.substring(1) : body);
        if (!(tree instanceof ObjectNode object)) {
            throw invalid("the request body must be a JSON object");
        }
        requireText(object);
        return JsonFields.root(object);
    }

    private JsonNode tree(String body) {
        try {
            return mapper.readTree(body);
        } catch (JacksonException malformed) {
            throw invalid("the request body is not valid JSON" + place(malformed.getLocation()));
        }
    }

    private static String place(@Nullable TokenStreamLocation location) {
        return location == null ? "" : " (line %d, column %d)".formatted(location.getLineNr(), location.getColumnNr());
    }

    /** Half a surrogate pair is no character: no tokenizer can take it, and it cannot be sent back. */
    private static void requireText(ObjectNode body) {
        String path = Surrogates.broken(body);
        if (path != null) {
            throw path.isEmpty()
                    ? invalid("a name in the request body holds half of a surrogate pair")
                    : JsonFields.invalidAt(path.substring(1), "holds half of a surrogate pair");
        }
    }

    static ApiException invalid(String message) {
        return new ApiException(ApiError.of(ErrorKind.INVALID_REQUEST, message));
    }
}
