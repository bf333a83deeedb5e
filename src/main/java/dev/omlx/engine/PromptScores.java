package dev.omlx.engine;

import dev.omlx.sampling.RowLogprobs;
import dev.omlx.sched.Sequence;
import java.util.List;

/**
 * How likely some of a prompt's own tokens were.
 *
 * @param position of the first of them, at least 1: nothing comes before a prompt's first token
 * @param rows one a token
 */
record PromptScores(Sequence sequence, int position, List<RowLogprobs> rows) {
    PromptScores {
        rows = List.copyOf(rows);
    }
}
