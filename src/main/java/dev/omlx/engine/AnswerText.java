package dev.omlx.engine;

import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.sampling.RowLogprobs;
import dev.omlx.text.Detokenizer;
import dev.omlx.text.StopMatcher;
import dev.omlx.text.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns one choice's tokens into text, finds stop texts in it, and holds tokens back until the text they belong to is
 * certain. Used by one thread at a time.
 */
final class AnswerText {
    private final TokenLogprobs words;
    private final Detokenizer detokenizer;
    private final StopMatcher stops;
    private final int topLogprobs;

    private final StringBuilder text = new StringBuilder();
    private final List<TokenLogprob> logprobs = new ArrayList<>();
    /** Where in the answer's bytes the tokens of {@code logprobs} begin. */
    private final List<Integer> starts = new ArrayList<>();

    private int shownBytes;
    private int tokenBytes;
    private int tokens;
    private @Nullable String stop;
    private boolean finished;

    AnswerText(Tokenizer tokenizer, List<String> stops, int topLogprobs) {
        this.words = new TokenLogprobs(tokenizer, topLogprobs);
        this.detokenizer = tokenizer.detokenizer();
        this.stops = new StopMatcher(stops);
        this.topLogprobs = topLogprobs;
    }

    /** Takes a token; after a stop text was found there is nothing more to take. */
    void add(int id, @Nullable RowLogprobs row) {
        if (stop != null) {
            return;
        }
        tokens++;
        StopMatcher.Result result = stops.feed(detokenizer.add(id));
        show(result.text());
        stop = result.stop();
        if (topLogprobs >= 0 && row != null) {
            TokenLogprob token = words.of(id, row);
            starts.add(tokenBytes);
            tokenBytes += token.bytes().length;
            logprobs.add(token);
            dropTokensOfStop();
        }
    }

    private void show(String more) {
        text.append(more);
        shownBytes += more.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Tokens that stand for nothing but a stop text are not part of the answer. */
    private void dropTokensOfStop() {
        while (stop != null && !starts.isEmpty() && starts.getLast() >= shownBytes) {
            starts.removeLast();
            logprobs.removeLast();
        }
    }

    /** What may be shown now; null for nothing. */
    GenerationEvent.@Nullable Delta take(int choice) {
        if (text.isEmpty()) {
            return null;
        }
        GenerationEvent.Delta delta = new GenerationEvent.Delta(choice, text.toString(), logprobs);
        text.setLength(0);
        logprobs.clear();
        starts.clear();
        return delta;
    }

    /** What was held back in case a stop text followed; null for nothing. */
    GenerationEvent.@Nullable Delta end(int choice) {
        show(detokenizer.finish());
        show(stops.flush());
        return text.isEmpty() && logprobs.isEmpty()
                ? null
                : new GenerationEvent.Delta(choice, text.toString(), logprobs);
    }

    void finish() {
        finished = true;
    }

    boolean isFinished() {
        return finished;
    }

    int tokens() {
        return tokens;
    }

    @Nullable
    String stop() {
        return stop;
    }
}
