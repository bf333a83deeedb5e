package dev.omlx.api.json;

import dev.omlx.engine.api.TokenLogprob;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A token of an answer and how likely it was, as OpenAI and Ollama write it.
 *
 * @param bytes of its text, each from 0 to 255
 * @param topLogprobs the likeliest tokens in its place; empty if none were asked for
 */
public record TokenLogprobBody(String token, float logprob, List<Integer> bytes, List<Top> topLogprobs) {
    /** JSON has no infinity; OpenAI's own value for a probability of none. */
    private static final float LOWEST = -9999;

    public static TokenLogprobBody of(TokenLogprob token) {
        return new TokenLogprobBody(
                token.token(),
                finite(token.logprob()),
                numbers(token.bytes()),
                token.top().stream().map(Top::of).toList());
    }

    /** The number as JSON can have it. */
    public static float finite(float logprob) {
        return Float.isNaN(logprob) ? LOWEST : Math.clamp(logprob, LOWEST, 0);
    }

    /** The bytes as numbers; Jackson would write the array as base64. */
    private static List<Integer> numbers(byte[] bytes) {
        return IntStream.range(0, bytes.length)
                .mapToObj(i -> Byte.toUnsignedInt(bytes[i]))
                .toList();
    }

    /** One of the likeliest tokens. */
    public record Top(String token, float logprob, List<Integer> bytes) {
        static Top of(TokenLogprob token) {
            return new Top(token.token(), finite(token.logprob()), numbers(token.bytes()));
        }
    }
}
