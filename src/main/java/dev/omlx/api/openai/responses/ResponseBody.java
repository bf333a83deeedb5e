package dev.omlx.api.openai.responses;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.omlx.engine.api.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response on the wire: whole, or as far as it has come.
 *
 * @param createdAt in seconds since 1970
 * @param completedAt likewise; null unless it is complete
 * @param status {@code in_progress}, {@code completed}, {@code incomplete} or {@code failed}
 * @param usage null until the end
 */
record ResponseBody(
        String id,
        String object,
        long createdAt,
        @Nullable Long completedAt,
        String status,
        @Nullable Failure error,
        @Nullable Incomplete incompleteDetails,
        String model,
        List<OutputItem> output,
        @Nullable Counts usage,
        @JsonUnwrapped Settings settings) {

    /** The same with another status, and what belongs to it. */
    ResponseBody failed(Failure failure) {
        return new ResponseBody(id, object, createdAt, null, "failed", failure, null, model, output, usage, settings);
    }

    /** @param code a word for programs */
    record Failure(String code, String message) {}

    record Incomplete(String reason) {
        static final Incomplete MAX_OUTPUT_TOKENS = new Incomplete("max_output_tokens");
    }

    /** Tokens: cached ones are counted in {@code inputTokens}, reasoning in {@code outputTokens}. */
    record Counts(
            int inputTokens,
            InputDetails inputTokensDetails,
            int outputTokens,
            OutputDetails outputTokensDetails,
            int totalTokens) {
        static Counts of(Usage usage) {
            return new Counts(
                    usage.promptTokens(),
                    new InputDetails(usage.cachedTokens(), 0),
                    usage.completionTokens(),
                    new OutputDetails(usage.reasoningTokens()),
                    usage.totalTokens());
        }
    }

    record InputDetails(int cachedTokens, int cacheWriteTokens) {}

    record OutputDetails(int reasoningTokens) {}
}
