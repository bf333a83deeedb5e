package dev.omlx.parse;

import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Tools as clients declare them. */
final class Declarations {
    private Declarations() {}

    /** @param parameters the schema of the arguments */
    static Map<String, Object> tool(String name, String parameters) {
        return Map.of(
                "type",
                "function",
                "function",
                Map.of("name", name, "parameters", JsonMapper.shared().readValue(parameters, Map.class)));
    }
}
