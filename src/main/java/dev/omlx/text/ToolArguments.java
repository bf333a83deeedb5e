package dev.omlx.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/**
 * Gives templates the arguments of earlier tool calls as objects. Clients send them as strings of JSON, but templates
 * are written for objects. What is not a JSON object stays the string it is.
 */
final class ToolArguments {

    private static final String ARGUMENTS = "arguments";
    private static final TypeReference<LinkedHashMap<String, Object>> OBJECT = new TypeReference<>() {};

    private ToolArguments() {}

    static List<Map<String, ? extends @Nullable Object>> parsed(
            List<? extends Map<String, ? extends @Nullable Object>> messages) {
        List<Map<String, ? extends @Nullable Object>> result = new ArrayList<>(messages.size());
        for (Map<String, ? extends @Nullable Object> message : messages) {
            result.add(
                    message.containsKey("tool_calls") || message.containsKey("function_call")
                            ? call(message)
                            : message);
        }
        return result;
    }

    /** Copies the object with every {@code arguments} in it parsed, down to the calls. */
    private static Map<String, @Nullable Object> call(Map<?, ?> object) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        object.forEach((key, value) -> {
            String name = String.valueOf(key);
            copy.put(
                    name,
                    switch (name) {
                        case ARGUMENTS -> value instanceof String json ? parse(json) : value;
                        case "function", "function_call" -> value instanceof Map<?, ?> inner ? call(inner) : value;
                        case "tool_calls" -> value instanceof List<?> calls ? calls(calls) : value;
                        default -> value;
                    });
        });
        return copy;
    }

    private static List<@Nullable Object> calls(List<?> calls) {
        List<@Nullable Object> copy = new ArrayList<>(calls.size());
        for (Object value : calls) {
            copy.add(value instanceof Map<?, ?> object ? call(object) : value);
        }
        return copy;
    }

    private static Object parse(String json) {
        if (json.isBlank()) {
            return Map.of();
        }
        try {
            Object object = Json.MAPPER.readValue(json, OBJECT);
            return object == null ? json : object;
        } catch (JacksonException e) {
            return json;
        }
    }
}
