package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ThinkingArguments;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request tells the chat template beside the conversation. */
public final class TemplateFields {
    private TemplateFields() {}

    /**
     * The variables for the template. Efforts to think also switch thinking itself.
     *
     * @param effort how hard to think, in the client's words; null where it does not say
     */
    public static Map<String, Object> read(JsonFields body, @Nullable String effort) {
        Map<String, Object> arguments = ThinkingArguments.of(effort == null ? null : !effort.equals("none"), effort);
        JsonFields given = body.fields("chat_template_kwargs");
        if (given != null) {
            arguments.putAll(given.map());
        }
        return arguments;
    }
}
