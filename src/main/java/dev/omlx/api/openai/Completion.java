package dev.omlx.api.openai;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A completion on the wire, whole. */
record Completion(
        String id,
        String object,
        long created,
        String model,
        String systemFingerprint,
        List<Choice> choices,
        UsageBody usage) {
    /** Of whole completions and of their chunks alike. */
    static final String OBJECT = "text_completion";

    /** A choice, or what a chunk adds to it. */
    record Choice(
            String text,
            int index,
            @Nullable CompletionLogprobs logprobs,
            @Nullable String finishReason) {}
}
