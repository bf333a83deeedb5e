package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The fields {@code tools} and {@code tool_choice} of a chat request. */
final class ToolFields {
    private static final Logger log = LoggerFactory.getLogger(ToolFields.class);
    private static final int MAX_TOOLS = 128;
    private static final String FUNCTION = "function";
    private static final String CHOICES = "must be none, auto, required or an object";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private ToolFields() {}

    /** The functions that the model is shown, as the JSON objects of the {@code tools} field. */
    static List<Map<String, Object>> read(JsonFields body) {
        for (String deprecated : List.of("functions", "function_call")) {
            if (body.has(deprecated)) {
                throw body.invalid(deprecated, "is not supported; use 'tools' and 'tool_choice'");
            }
        }
        body.flag("parallel_tool_calls", true);
        List<Map<String, Object>> tools = tools(body);
        return mayCall(body, tools) ? tools : List.of();
    }

    private static List<Map<String, Object>> tools(JsonFields body) {
        List<JsonFields> all = body.objects("tools");
        if (all.size() > MAX_TOOLS) {
            throw body.invalid("tools", "must have at most %d elements".formatted(MAX_TOOLS));
        }
        List<Map<String, Object>> functions = all.stream()
                .filter(tool -> tool.requireString("type").equals(FUNCTION))
                .map(ToolFields::function)
                .toList();
        if (functions.size() < all.size()) {
            log.warn("ignoring {} tools that are not functions", all.size() - functions.size());
        }
        return functions;
    }

    private static Map<String, Object> function(JsonFields tool) {
        JsonFields function = tool.requireFields(FUNCTION);
        if (!NAME.matcher(function.requireString("name")).matches()) {
            throw function.invalid("name", "must be 1 to 64 letters, digits, '_' or '-'");
        }
        function.string("description");
        function.flag("strict", false);
        JsonFields parameters = function.fields("parameters");
        Map<String, Object> shown = new LinkedHashMap<>(function.map());
        shown.put("parameters", parameters == null ? Map.of() : parameters.map());
        Map<String, Object> copy = new LinkedHashMap<>(tool.map());
        copy.put(FUNCTION, shown);
        return copy;
    }

    /** Whether the choice lets the model call at all. */
    private static boolean mayCall(JsonFields body, List<Map<String, Object>> tools) {
        JsonNode choice = body.value("tool_choice");
        if (choice == null) {
            return true;
        }
        if (choice.isString()) {
            return switch (choice.stringValue()) {
                case "none" -> false;
                case "auto" -> true;
                case "required" -> throw body.invalid("tool_choice", "'required' is not supported yet");
                default -> throw body.invalid("tool_choice", CHOICES);
            };
        }
        if (!choice.isObject()) {
            throw body.invalid("tool_choice", CHOICES);
        }
        JsonFields named = body.requireFields("tool_choice");
        String type = named.requireString("type");
        if (type.equals(FUNCTION)) {
            String name = named.requireFields(FUNCTION).requireString("name");
            if (!isAmong(tools, name)) {
                throw body.invalid("tool_choice", "names the function '" + name + "', which is not among 'tools'");
            }
        }
        throw body.invalid("tool_choice", "of type '" + type + "' is not supported yet");
    }

    private static boolean isAmong(List<Map<String, Object>> tools, String name) {
        return tools.stream()
                .anyMatch(
                        tool -> tool.get(FUNCTION) instanceof Map<?, ?> function && name.equals(function.get("name")));
    }
}
