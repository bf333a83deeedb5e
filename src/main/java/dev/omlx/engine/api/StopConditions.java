package dev.omlx.engine.api;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When a request ends, besides the model's own end token.
 *
 * @param maxTokens most tokens to generate, 0 computes the prompt alone; null, or more than the context has room for, means up to the context's end
 * @param minTokens tokens to generate before an end token counts; until then end tokens are not sampled
 * @param stops texts that end the answer; the match itself is not part of it. They are looked for in the answer's text,
 *     not in reasoning or tool calls
 * @param stopTokenIds further tokens that end the answer
 * @param ignoreEos do not end at the model's own end token
 * @param afterToolCall end after the first tool call
 * @param thinkingBudget most tokens to think: with the next one the model is made to end its thoughts, and goes on with
 *     its answer; null for any number. Nothing to models that mark no thoughts
 */
public record StopConditions(
        @Nullable Integer maxTokens,
        int minTokens,
        List<String> stops,
        Set<Integer> stopTokenIds,
        boolean ignoreEos,
        boolean afterToolCall,
        @Nullable Integer thinkingBudget) {

    /** Only the model's end token and the context's end. */
    public static final StopConditions NONE = new StopConditions(null, 0, List.of(), Set.of(), false);

    /** As many tool calls and thoughts as the model makes. */
    public StopConditions(
            @Nullable Integer maxTokens,
            int minTokens,
            List<String> stops,
            Set<Integer> stopTokenIds,
            boolean ignoreEos) {
        this(maxTokens, minTokens, stops, stopTokenIds, ignoreEos, false, null);
    }

    public StopConditions {
        stops = List.copyOf(stops);
        stopTokenIds = Set.copyOf(stopTokenIds);
    }

    /** The same, and perhaps the end after the first tool call. */
    public StopConditions afterToolCall(boolean after) {
        return new StopConditions(maxTokens, minTokens, stops, stopTokenIds, ignoreEos, after, thinkingBudget);
    }

    /** The same, and at most so many tokens of thoughts; null for any number. */
    public StopConditions thinkingAtMost(@Nullable Integer budget) {
        return new StopConditions(maxTokens, minTokens, stops, stopTokenIds, ignoreEos, afterToolCall, budget);
    }

    /** At most that many tokens. */
    public static StopConditions after(int maxTokens) {
        return new StopConditions(maxTokens, 0, List.of(), Set.of(), false);
    }
}
