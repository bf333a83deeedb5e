package dev.omlx.parse;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON as models write it: numbers keep their digits, and strings may hold line breaks. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    /** The value that a text is, as a whole; null if it is none. */
    static @Nullable JsonNode read(String text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node.isMissingNode() ? null : node;
        } catch (JacksonException malformed) {
            return null;
        }
    }

    static String write(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }
}
