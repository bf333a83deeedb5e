package dev.omlx.engine.api;

/**
 * Tokens that a request took.
 *
 * @param promptTokens length of the prompt, the cached part included
 * @param cachedTokens how many of those came from the KV cache
 * @param completionTokens tokens generated over all choices, an end token not counted
 * @param reasoningTokens how many of those are reasoning, its marks not counted
 */
public record Usage(int promptTokens, int cachedTokens, int completionTokens, int reasoningTokens) {
    public int totalTokens() {
        return promptTokens + completionTokens;
    }
}
