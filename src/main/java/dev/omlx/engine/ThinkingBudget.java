package dev.omlx.engine;

import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.ReasoningTracker;
import dev.omlx.parse.ReasoningTracker.State;
import dev.omlx.text.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How long one answer may think. Once that many tokens were thought, it says which tokens must come next, so that the
 * thoughts end as the model itself would end them. White space counts, marks do not. It sees tokens in the order of the
 * answer, each once, however often steps are computed anew; engine thread only.
 */
final class ThinkingBudget {
    /** No token: the model chooses. */
    static final int FREE = -1;

    /** What the model writes may keep the forced mark from being one, but a mark behind it is one. */
    private static final int MOST_TRIES = 2;

    private final int most;
    private final ReasoningTracker tracker;
    private final Ends ends;
    private int thought;
    private int tries;
    private int[] forced = new int[0];
    private int next;

    ThinkingBudget(int most, ReasoningTracker tracker, Ends ends) {
        this.most = most;
        this.tracker = tracker;
        this.ends = ends;
        forceIfUsedUp();
    }

    /**
     * What ends the thoughts of a model.
     *
     * @param texts at {@code n}, the tokens that are missing where n characters of the mark are there already
     * @param tokenizer the model's
     */
    record Ends(List<int[]> texts, Tokenizer tokenizer) {
        static Ends of(OutputFormat format, Tokenizer tokenizer) {
            String end = format.reasoningEnd();
            return new Ends(
                    IntStream.range(0, format.reasoningMarkLength())
                            .mapToObj(matched -> tokenizer.encodeWithSpecials(end.substring(matched)))
                            .toList(),
                    tokenizer);
        }

        /** A character a byte; all marks are ASCII. */
        private String written(int token) {
            return tokenizer.isSpecial(token)
                    ? tokenizer.tokenText(token)
                    : new String(tokenizer.tokenBytes(token), StandardCharsets.ISO_8859_1);
        }
    }

    /** The token that must come next, or {@link #FREE}. */
    int forcedToken() {
        return next < forced.length ? forced[next] : FREE;
    }

    /** Whether a token that is under way decides whether the one behind it is forced. */
    boolean decidesNext() {
        return next < forced.length || tracker.state() != State.AFTER && thought + 1 >= most && tries < MOST_TRIES;
    }

    void accept(int token) {
        boolean free = next == forced.length;
        boolean thinking = tracker.state() == State.THINKING;
        tracker.feed(ends.written(token));
        if (free && thinking && tracker.state() == State.THINKING) {
            thought++;
        }
        if (!free) {
            next++;
        }
        if (tracker.state() != State.THINKING) {
            tries = 0;
        }
        forceIfUsedUp();
    }

    private void forceIfUsedUp() {
        if (next == forced.length && tracker.state() == State.THINKING && thought >= most && tries < MOST_TRIES) {
            tries++;
            forced = ends.texts().get(tracker.endMatched());
            next = 0;
        }
    }
}
