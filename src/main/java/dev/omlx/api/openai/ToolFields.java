package dev.omlx.api.openai;

import dev.omlx.api.error.ApiException;
import dev.omlx.api.request.FunctionFields;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ToolShape;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The fields {@code tools}, {@code tool_choice} and {@code parallel_tool_calls}. */
public final class ToolFields {
    private static final String FUNCTION = ToolShape.FUNCTION;
    private static final String CHOICE = "tool_choice";
    private static final String ALLOWED_TOOLS = "allowed_tools";
    private static final String CHOICES = "must be none, auto, required or an object";

    private ToolFields() {}

    /**
     * The functions that the model is shown, as the JSON objects of the {@code tools} field. It can call no others.
     *
     * @throws dev.omlx.api.error.ApiException if a field is wrong, or asks for a call
     */
    public static List<Map<String, Object>> read(JsonFields body, ToolShape shape) {
        for (String deprecated : List.of("functions", "function_call")) {
            if (body.has(deprecated)) {
                throw body.invalid(deprecated, "is not supported; use 'tools' and 'tool_choice'");
            }
        }
        return chosen(body, FunctionFields.read(body, shape), shape);
    }

    /** Whether the answer may have several calls. */
    public static boolean parallel(JsonFields body) {
        return body.flag("parallel_tool_calls", true);
    }

    /** Those tools that the choice leaves to the model. */
    private static List<Map<String, Object>> chosen(JsonFields body, List<Map<String, Object>> tools, ToolShape shape) {
        JsonNode choice = body.value(CHOICE);
        if (choice == null) {
            return tools;
        }
        if (choice.isString()) {
            return switch (choice.stringValue()) {
                case "none" -> List.of();
                case "auto" -> tools;
                case "required" -> throw unenforceable(body, "'required'");
                default -> throw body.invalid(CHOICE, CHOICES);
            };
        }
        if (!choice.isObject()) {
            throw body.invalid(CHOICE, CHOICES);
        }
        JsonFields object = body.requireFields(CHOICE);
        String type = object.requireString("type");
        return switch (type) {
            case FUNCTION -> {
                requireAmong(body, tools, name(object, shape));
                throw unenforceable(body, "a named function");
            }
            case ALLOWED_TOOLS -> allowed(body, tools, object, shape);
            default -> throw body.invalid(CHOICE, "of type '" + type + "' is not supported");
        };
    }

    /** The model is shown no others, so it needs no force. */
    private static List<Map<String, Object>> allowed(
            JsonFields body, List<Map<String, Object>> tools, JsonFields choice, ToolShape shape) {
        JsonFields allowed = shape.fields(choice, ALLOWED_TOOLS);
        String mode = allowed.requireString("mode");
        List<String> names =
                allowed.objects("tools").stream().map(tool -> name(tool, shape)).toList();
        names.forEach(name -> requireAmong(body, tools, name));
        return switch (mode) {
            case "auto" ->
                tools.stream().filter(tool -> names.contains(nameOf(tool))).toList();
            case "required" -> throw unenforceable(body, "mode 'required'");
            default -> throw allowed.invalid("mode", "must be auto or required");
        };
    }

    private static ApiException unenforceable(JsonFields body, String choice) {
        return body.invalid(
                CHOICE,
                "cannot be " + choice + ": forcing a call needs constrained decoding, which this server does not have"
                        + " yet; 'auto' lets the model choose");
    }

    private static String name(JsonFields named, ToolShape shape) {
        return shape.fields(named, FUNCTION).requireString("name");
    }

    private static void requireAmong(JsonFields body, List<Map<String, Object>> tools, String name) {
        if (tools.stream().noneMatch(tool -> name.equals(nameOf(tool)))) {
            throw body.invalid(CHOICE, "names the function '" + name + "', which is not among 'tools'");
        }
    }

    private static @Nullable Object nameOf(Map<String, Object> tool) {
        return tool.get(FUNCTION) instanceof Map<?, ?> function ? function.get("name") : null;
    }
}
