package dev.omlx.api.openai;

import dev.omlx.engine.api.Usage;

/** The {@code usage} object: cached tokens are counted in {@code prompt_tokens}, reasoning in {@code completion_tokens}. */
record UsageBody(
        int promptTokens,
        int completionTokens,
        int totalTokens,
        PromptDetails promptTokensDetails,
        CompletionDetails completionTokensDetails) {

    static UsageBody of(Usage usage) {
        return new UsageBody(
                usage.promptTokens(),
                usage.completionTokens(),
                usage.totalTokens(),
                new PromptDetails(usage.cachedTokens()),
                new CompletionDetails(usage.reasoningTokens()));
    }

    record PromptDetails(int cachedTokens) {}

    record CompletionDetails(int reasoningTokens) {}
}
