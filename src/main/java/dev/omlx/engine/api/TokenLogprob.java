package dev.omlx.engine.api;

import java.util.List;

/**
 * A token and how likely it was.
 *
 * @param logprob natural logarithm of its probability; NaN for the first token of a prompt, which has none
 * @param bytes what it adds to the text, UTF-8, possibly a part of a character
 * @param top the likeliest tokens at its place, the likeliest first; their own {@code top} is empty
 */
public record TokenLogprob(int id, String token, byte[] bytes, float logprob, List<TokenLogprob> top) {
    public TokenLogprob {
        top = List.copyOf(top);
    }
}
