package dev.omlx.api.request;

import dev.omlx.engine.api.ChatMessage.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The field {@code tool_calls} of a message: calls that the model once made. */
public final class ToolCallFields {
    private ToolCallFields() {}

    /** The calls; none if the field is absent. A call without an id has an empty one. */
    public static List<ToolCall> read(JsonFields message) {
        List<ToolCall> calls = new ArrayList<>();
        for (JsonFields call : message.objects("tool_calls")) {
            JsonFields function = call.requireFields("function");
            String id = call.string("id");
            calls.add(new ToolCall(id == null ? "" : id, function.requireString("name"), arguments(function)));
        }
        return calls;
    }

    /**
     * The call's arguments as the text of an object. What a model once wrote wrongly stays in the history that clients
     * send, so text of another kind is kept as the only member of an object.
     */
    public static String arguments(JsonFields function) {
        JsonNode value = function.value("arguments");
        if (value == null) {
            return "{}";
        }
        if (value.isObject()) {
            return value.toString();
        }
        if (!value.isString()) {
            throw function.invalid("arguments", "must be an object, or a string that holds one");
        }
        String text = value.stringValue();
        if (text.isBlank()) {
            return "{}";
        }
        JsonNode parsed = parse(text);
        if (parsed == null || !parsed.isObject()) {
            return JsonMapper.shared().writeValueAsString(Map.of("arguments", text));
        }
        if (Surrogates.broken(parsed) != null) {
            throw function.invalid("arguments", "holds half of a surrogate pair");
        }
        return text;
    }

    private static @Nullable JsonNode parse(String text) {
        try {
            return JsonMapper.shared().readTree(text);
        } catch (JacksonException malformed) {
            return null;
        }
    }
}
