package dev.omlx.api.openai;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A whole chat completion on the wire. */
record ChatCompletion(
        String id,
        String object,
        long created,
        String model,
        String systemFingerprint,
        List<Choice> choices,
        UsageBody usage) {
    static final String OBJECT = "chat.completion";

    record Choice(int index, Message message, @Nullable LogprobsBody logprobs, String finishReason) {}

    record Message(
            String role, @Nullable String content, @Nullable String refusal) {
        static Message of(String content) {
            return new Message("assistant", content, null);
        }
    }
}
