package dev.omlx.api.request;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether and how hard to think, in the words that most chat templates know. */
public final class ThinkingArguments {
    /** How hard to think, in the words of all clients, the least first. */
    private static final List<String> EFFORTS = List.of("none", "minimal", "low", "medium", "high", "xhigh", "max");

    private ThinkingArguments() {}

    /** The field that says how hard to think; null if it is absent. */
    public static @Nullable String effort(JsonFields fields, String name) {
        String effort = fields.string(name);
        if (effort != null && !EFFORTS.contains(effort)) {
            throw fields.invalid(name, "must be one of " + String.join(", ", EFFORTS));
        }
        return effort;
    }

    /**
     * Arguments for the template; the caller may add others.
     *
     * @param enabled whether to think; null leaves it to the template
     * @param effort how hard to; null leaves it to the template
     */
    public static Map<String, Object> of(@Nullable Boolean enabled, @Nullable String effort) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        if (enabled != null) {
            arguments.put("enable_thinking", enabled);
        }
        if (effort != null) {
            arguments.put("reasoning_effort", effort);
        }
        return arguments;
    }
}
