package dev.omlx.engine.api;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When a request ends, besides the model's own end token.
 *
 * @param maxTokens most tokens to generate, 0 computes the prompt alone; null, or more than the context has room for, means up to the context's end
 * @param minTokens tokens to generate before an end token counts; until then end tokens are not sampled
 * @param stops texts that end the answer; the match itself is not part of it
 * @param stopTokenIds further tokens that end the answer
 * @param ignoreEos do not end at the model's own end token
 */
public record StopConditions(
        @Nullable Integer maxTokens, int minTokens, List<String> stops, Set<Integer> stopTokenIds, boolean ignoreEos) {

    /** Only the model's end token and the context's end. */
    public static final StopConditions NONE = new StopConditions(null, 0, List.of(), Set.of(), false);

    public StopConditions {
        stops = List.copyOf(stops);
        stopTokenIds = Set.copyOf(stopTokenIds);
    }

    /** At most that many tokens. */
    public static StopConditions after(int maxTokens) {
        return new StopConditions(maxTokens, 0, List.of(), Set.of(), false);
    }
}
