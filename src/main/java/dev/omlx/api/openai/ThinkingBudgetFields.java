package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import dev.omlx.engine.api.SamplingLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long a request lets the model think, in the words of several servers' clients. */
public final class ThinkingBudgetFields {
    /** The original's and Qwen's, and the name that templates know. */
    static final String OWN = "thinking_budget";

    private static final String VLLM = "thinking_token_budget";
    private static final int MOST = SamplingLimit.MAX_TOKENS.range().lastInt();

    private ThinkingBudgetFields() {}

    /** Most tokens to think; null for any number. */
    public static @Nullable Integer read(JsonFields body) {
        Integer budget = null;
        for (String name : List.of(VLLM, OWN)) {
            Integer given = body.integer(name, 0, MOST);
            budget = given == null ? budget : given;
        }
        return budget == null ? body.fieldsOrNone(TemplateFields.ARGUMENTS).integer(OWN, 0, MOST) : budget;
    }
}
