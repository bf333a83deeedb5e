package dev.omlx.api.openai;

import dev.omlx.api.json.TokenLogprobBody;
import dev.omlx.engine.api.TokenLogprob;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code logprobs} object of a completion's choice, one entry a token. A prompt's first token has no probability.
 *
 * @param textOffset where each token begins in the choice's text, in characters (code points); a token that begins within
 *     a character begins where that does
 */
record CompletionLogprobs(
        List<String> tokens,
        List<@Nullable Float> tokenLogprobs,
        List<@Nullable Map<String, Float>> topLogprobs,
        List<Integer> textOffset) {

    /** @param offsets of the text before these tokens; goes on behind them */
    static CompletionLogprobs of(List<TokenLogprob> tokens, TextOffsets offsets) {
        CompletionLogprobs body =
                new CompletionLogprobs(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        tokens.forEach(token -> body.add(token, offsets.pass(token.bytes())));
        return body;
    }

    private void add(TokenLogprob token, int offset) {
        boolean known = !Float.isNaN(token.logprob());
        tokens.add(word(token));
        tokenLogprobs.add(known ? TokenLogprobBody.finite(token.logprob()) : null);
        topLogprobs.add(known ? top(token) : null);
        textOffset.add(offset);
    }

    /** The likeliest tokens, and the token itself, whether or not it is one of them. */
    private static Map<String, Float> top(TokenLogprob token) {
        Map<String, Float> top = new LinkedHashMap<>();
        token.top().forEach(likely -> top.putIfAbsent(word(likely), TokenLogprobBody.finite(likely.logprob())));
        top.putIfAbsent(word(token), TokenLogprobBody.finite(token.logprob()));
        return top;
    }

    /** The token's text, or its bytes where they are only a part of a character. */
    private static String word(TokenLogprob token) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(token.bytes()));
            return token.token();
        } catch (CharacterCodingException partial) {
            StringBuilder word = new StringBuilder("bytes:");
            for (byte b : token.bytes()) {
                word.append("\\x%02x".formatted(b));
            }
            return word.toString();
        }
    }
}
