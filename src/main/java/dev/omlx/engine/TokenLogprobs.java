package dev.omlx.engine;

import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.sampling.RowLogprobs;
import dev.omlx.text.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Gives log-probabilities the words of their tokens.
 *
 * @param top likeliest tokens to report
 */
record TokenLogprobs(Tokenizer tokenizer, int top) {
    /** What special tokens add to an answer. */
    private static final byte[] NOTHING = {};

    TokenLogprob of(int id, RowLogprobs row) {
        List<TokenLogprob> likeliest = row.top().stream()
                .limit(top)
                .map(candidate -> token(candidate.token(), candidate.logprob(), List.of()))
                .toList();
        return token(id, row.logprob(), likeliest);
    }

    private TokenLogprob token(int id, float logprob, List<TokenLogprob> likeliest) {
        byte[] bytes = tokenizer.tokenBytes(id);
        String word = new String(bytes, StandardCharsets.UTF_8);
        return new TokenLogprob(id, word, tokenizer.isSpecial(id) ? NOTHING : bytes, logprob, likeliest);
    }
}
