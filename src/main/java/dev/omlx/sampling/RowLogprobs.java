package dev.omlx.sampling;

import java.util.List;

/**
 * Log-probabilities of one row's token and of the likeliest ones at its place.
 *
 * @param logprob natural logarithm, before temperature, bias and penalties
 * @param top the likeliest first
 */
public record RowLogprobs(float logprob, List<Candidate> top) {
    public RowLogprobs {
        top = List.copyOf(top);
    }

    /** A token and its log-probability. */
    public record Candidate(int token, float logprob) {}
}
