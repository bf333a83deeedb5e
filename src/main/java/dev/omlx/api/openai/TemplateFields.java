package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ThinkingArguments;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a request tells the chat template beside the conversation. */
public final class TemplateFields {
    static final String ARGUMENTS = "chat_template_kwargs";

    private TemplateFields() {}

    /**
     * The variables for the template. Efforts to think also switch thinking itself.
     *
     * @param effort how hard to think, in the client's words; null where it does not say
     */
    public static Map<String, Object> read(JsonFields body, @Nullable String effort) {
        Map<String, Object> arguments = ThinkingArguments.of(effort == null ? null : !effort.equals("none"), effort);
        Integer budget = ThinkingBudgetFields.read(body);
        if (budget != null) {
            // some models are told how long they may think, besides being held to it
            arguments.put(ThinkingBudgetFields.OWN, budget);
        }
        JsonFields given = body.fields(ARGUMENTS);
        if (given != null) {
            arguments.putAll(given.map());
        }
        return arguments;
    }
}
