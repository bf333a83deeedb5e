package dev.omlx.api.request;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The field {@code tools} as OpenAI's dialect and its relatives have it: functions that the model may call. */
public final class FunctionFields {
    private static final Logger log = LoggerFactory.getLogger(FunctionFields.class);
    private static final int MAX_TOOLS = 128;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private FunctionFields() {}

    /**
     * The functions, each a nested tool that has {@code parameters}. Tools of other types are left out.
     *
     * @throws dev.omlx.api.error.ApiException if one is not well described
     */
    public static List<Map<String, Object>> read(JsonFields body, ToolShape shape) {
        List<JsonFields> all = body.objects("tools");
        if (all.size() > MAX_TOOLS) {
            throw body.invalid("tools", "must have at most %d elements".formatted(MAX_TOOLS));
        }
        Set<String> names = new HashSet<>();
        List<Map<String, Object>> functions = all.stream()
                .filter(tool -> tool.requireString("type").equals(ToolShape.FUNCTION))
                .map(tool -> function(tool, shape, names))
                .toList();
        if (functions.size() < all.size()) {
            log.warn("ignoring {} tools that are not functions", all.size() - functions.size());
        }
        return functions;
    }

    private static Map<String, Object> function(JsonFields tool, ToolShape shape, Set<String> names) {
        JsonFields function = shape.fields(tool, ToolShape.FUNCTION);
        String name = function.requireString("name");
        if (!NAME.matcher(name).matches()) {
            throw function.invalid("name", "must be 1 to 64 letters, digits, '_' or '-'");
        }
        if (!names.add(name)) {
            throw function.invalid("name", "is '" + name + "', as that of a tool before it");
        }
        function.string("description");
        function.flag("strict", false);
        JsonFields parameters = function.fields("parameters");
        Map<String, Object> shown = new LinkedHashMap<>(function.map());
        shown.put("parameters", parameters == null ? Map.of() : parameters.map());
        return shape.tool(tool, shown);
    }
}
