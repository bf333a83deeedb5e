package dev.omlx.api.request;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether and how hard to think, in the words that most chat templates know. */
public final class ThinkingArguments {
    private ThinkingArguments() {}

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
