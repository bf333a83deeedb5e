package dev.omlx.api.anthropic;

import dev.omlx.api.error.ApiException;
import dev.omlx.api.request.JsonFields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fields {@code tools} and {@code tool_choice}. */
final class ToolFields {
    private static final Logger log = LoggerFactory.getLogger(ToolFields.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,128}");
    private static final String CUSTOM = "custom";

    private ToolFields() {}

    /** The tools that the model is shown, as functions in the words of chat templates. */
    static List<Map<String, Object>> read(JsonFields body) {
        List<JsonFields> all = body.objects("tools");
        List<Map<String, Object>> functions = new ArrayList<>(all.size());
        Set<String> names = new HashSet<>();
        for (JsonFields tool : all) {
            if (Objects.requireNonNullElse(tool.string("type"), CUSTOM).equals(CUSTOM)) {
                functions.add(function(tool, names));
            }
        }
        if (functions.size() < all.size()) {
            log.warn("ignoring {} tools that only Anthropic's servers run", all.size() - functions.size());
        }
        return mayCall(body) ? functions : List.of();
    }

    /** Whether the answer may have one call at most. */
    static boolean oneCall(JsonFields body) {
        JsonFields choice = body.fields("tool_choice");
        return choice != null && choice.flag("disable_parallel_tool_use", false);
    }

    private static Map<String, Object> function(JsonFields tool, Set<String> names) {
        String name = tool.requireString("name");
        if (!NAME.matcher(name).matches()) {
            throw tool.invalid("name", "must be 1 to 128 letters, digits, '_' or '-'");
        }
        if (!names.add(name)) {
            throw tool.invalid("name", "is '" + name + "', as that of a tool before it");
        }
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", name);
        String description = tool.string("description");
        function.put("description", description == null ? "" : description);
        function.put("parameters", tool.requireFields("input_schema").map());
        // in the order in which templates show it
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("type", "function");
        shown.put("function", function);
        return shown;
    }

    /** Whether the choice lets the model call at all. */
    private static boolean mayCall(JsonFields body) {
        JsonFields choice = body.fields("tool_choice");
        if (choice == null) {
            return true;
        }
        String type = choice.requireString("type");
        return switch (type) {
            case "auto" -> true;
            case "none" -> false;
            case "any" -> throw unenforceable(body, type);
            case "tool" -> {
                choice.requireString("name");
                throw unenforceable(body, type);
            }
            default -> throw choice.invalid("type", "must be one of any, auto, none, tool");
        };
    }

    private static ApiException unenforceable(JsonFields body, String type) {
        return body.invalid(
                "tool_choice",
                "cannot be of type '" + type
                        + "': forcing a call needs constrained decoding, which this server does not have"
                        + " yet; type 'auto' lets the model choose");
    }
}
