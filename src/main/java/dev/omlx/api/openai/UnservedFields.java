package dev.omlx.api.openai;

import dev.omlx.api.request.JsonFields;
import java.util.List;

/**
 * Fields that bind the answer, or change what the model reads, and are not served: to ignore them would answer something
 * else than was asked for. Values that ask for nothing are taken.
 */
public final class UnservedFields {
    /** Lists of what may or may not be said. */
    private static final List<String> LISTS = List.of("bad_words", "allowed_token_ids");

    private static final List<String> FLAGS = List.of("use_beam_search", "include_stop_str_in_output");

    private static final String TRUNCATE = "truncate_prompt_tokens";

    private UnservedFields() {}

    /** Refuses them, and all that forces the answer's form, whichever of OpenAI's faces they come to. */
    public static void refuse(JsonFields body) {
        ForcedForms.refuse(body);
        for (String list : LISTS) {
            if (body.hasEntries(list)) {
                throw body.invalid(list, "is not supported; 'logit_bias' can rule tokens out");
            }
        }
        for (String flag : FLAGS) {
            if (body.flag(flag, false)) {
                throw body.invalid(flag, "cannot be true: it is not supported");
            }
        }
        if (body.has(TRUNCATE)) {
            throw body.invalid(TRUNCATE, "is not supported: a prompt is served whole, or refused if it is too long");
        }
    }
}
