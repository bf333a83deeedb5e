package dev.omlx.api.openai;

import dev.omlx.engine.api.TokenLogprob;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The {@code logprobs} object of a chat choice. */
public record LogprobsBody(List<Token> content, @Nullable List<Token> refusal) {
    /** JSON has no infinity; OpenAI's own value for a probability of none. */
    private static final float LOWEST = -9999;

    static LogprobsBody of(List<TokenLogprob> tokens) {
        return new LogprobsBody(tokens.stream().map(Token::of).toList(), null);
    }

    static float finite(float logprob) {
        return Float.isNaN(logprob) ? LOWEST : Math.clamp(logprob, LOWEST, 0);
    }

    /** The bytes as numbers; Jackson would write the array as base64. */
    private static List<Integer> numbers(byte[] bytes) {
        return IntStream.range(0, bytes.length)
                .mapToObj(i -> Byte.toUnsignedInt(bytes[i]))
                .toList();
    }

    public record Token(String token, float logprob, List<Integer> bytes, List<TopToken> topLogprobs) {
        public static Token of(TokenLogprob token) {
            return new Token(
                    token.token(),
                    finite(token.logprob()),
                    numbers(token.bytes()),
                    token.top().stream().map(TopToken::of).toList());
        }
    }

    public record TopToken(String token, float logprob, List<Integer> bytes) {
        static TopToken of(TokenLogprob token) {
            return new TopToken(token.token(), finite(token.logprob()), numbers(token.bytes()));
        }
    }
}
