package dev.omlx.api.openai;

import dev.omlx.engine.api.Usage;

/** Tokens of all prompts of a request. */
final class UsageSum {
    private Usage sum = new Usage(0, 0, 0, 0);
    private int counted;

    void add(Usage usage) {
        counted++;
        sum = new Usage(
                sum.promptTokens() + usage.promptTokens(),
                sum.cachedTokens() + usage.cachedTokens(),
                sum.completionTokens() + usage.completionTokens(),
                sum.reasoningTokens() + usage.reasoningTokens());
    }

    /** How many prompts are in it. */
    int counted() {
        return counted;
    }

    UsageBody body() {
        return UsageBody.of(sum);
    }
}
