package dev.omlx.api.openai;

import dev.omlx.api.json.TokenLogprobBody;
import dev.omlx.engine.api.TokenLogprob;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@code logprobs} object of a chat choice. */
record LogprobsBody(
        List<TokenLogprobBody> content, @Nullable List<TokenLogprobBody> refusal) {
    static LogprobsBody of(List<TokenLogprob> tokens) {
        return new LogprobsBody(tokens.stream().map(TokenLogprobBody::of).toList(), null);
    }
}
