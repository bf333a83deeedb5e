package dev.omlx.engine.api;

/**
 * What a request wants back.
 *
 * @param choices independent answers to the same prompt, at least 1
 * @param logprobs report the log-probability of each token
 * @param topLogprobs report that many of the likeliest tokens at each position, 0 to 20
 * @param echo begin each answer with the prompt, as its first delta; where log-probabilities are asked for, the prompt's
 *     tokens get theirs too
 */
public record OutputOptions(int choices, boolean logprobs, int topLogprobs, boolean echo) {
    /** One answer, text alone. */
    public static final OutputOptions DEFAULT = new OutputOptions(1, false, 0);

    /** Answers without the prompt. */
    public OutputOptions(int choices, boolean logprobs, int topLogprobs) {
        this(choices, logprobs, topLogprobs, false);
    }
}
