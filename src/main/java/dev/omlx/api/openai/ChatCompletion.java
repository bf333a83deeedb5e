package dev.omlx.api.openai;

import com.fasterxml.jackson.annotation.JsonInclude;
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

    /**
     * What the assistant said.
     *
     * @param content null where it only called tools
     * @param reasoningContent what it thought; left out where it did not
     * @param reasoning the same, under the name that newer clients look for
     * @param toolCalls left out where there are none: clients take an empty array for calls
     */
    record Message(
            String role,
            @Nullable String content,
            @Nullable String refusal,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String reasoningContent,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String reasoning,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ToolCallBody> toolCalls) {
        static Message of(String content, String reasoning, List<ToolCallBody> toolCalls) {
            String thoughts = reasoning.isEmpty() ? null : reasoning;
            boolean onlyCalls = content.isEmpty() && !toolCalls.isEmpty();
            return new Message("assistant", onlyCalls ? null : content, null, thoughts, thoughts, toolCalls);
        }
    }
}
