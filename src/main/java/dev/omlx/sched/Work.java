package dev.omlx.sched;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One sequence's part of a step: computes the tokens at positions {@code startPosition} to {@code startPosition +
 * tokenCount - 1}. A position at or past {@link Sequence#knownTokens} holds a token that an earlier step in flight
 * samples and only the device knows.
 *
 * @param tokenCount 1 for a decoding row, any length for a chunk of prefill
 * @param producesToken whether the next token is sampled after the last position
 * @param source whose KV of the first {@code startPosition} positions it begins with a copy of; null for its own
 */
public record Work(
        Sequence sequence,
        int startPosition,
        int tokenCount,
        boolean producesToken,
        @Nullable Sequence source) {

    /** Of a sequence that continues its own KV. */
    Work(Sequence sequence, int startPosition, int tokenCount, boolean producesToken) {
        this(sequence, startPosition, tokenCount, producesToken, null);
    }

    /** The position behind its last one. */
    int endPosition() {
        return startPosition + tokenCount;
    }

    /** Whether it needs what the steps in flight do for one of these. */
    boolean buildsOn(Set<Sequence> others) {
        return others.contains(sequence) || (source != null && others.contains(source));
    }
}
