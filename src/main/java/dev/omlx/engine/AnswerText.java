package dev.omlx.engine;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.parse.OutputParser;
import dev.omlx.parse.Piece;
import dev.omlx.sampling.RowLogprobs;
import dev.omlx.text.Detokenizer;
import dev.omlx.text.StopMatcher;
import dev.omlx.text.Tokenizer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns one choice's tokens into text, reasoning and tool calls, finds stop texts in the text, and holds tokens back
 * until what they belong to is certain. Parsers see the text of special tokens, users never do. Used by one thread at a
 * time.
 */
final class AnswerText {
    private final int choice;
    private final Tokenizer tokenizer;
    private final TokenLogprobs words;
    private final Detokenizer detokenizer;
    private final OutputParser parser;
    private final Wanted wanted;
    private final TokenRanges ranges = new TokenRanges();
    private StopMatcher stops;

    private final List<GenerationEvent> ready = new ArrayList<>();
    private final StringBuilder reasoning = new StringBuilder();
    private final StringBuilder text = new StringBuilder();
    private final TextTokens textTokens = new TextTokens();

    private int tokens;
    private int reasoningTokens;
    private int calls;
    private boolean thinking;
    private @Nullable String stop;
    private boolean finished;

    /**
     * What a request wants of an answer.
     *
     * @param stops texts that end it
     * @param oneCall whether it ends after a tool call
     * @param topLogprobs likeliest tokens to report; negative reports no log-probabilities
     */
    record Wanted(List<String> stops, boolean oneCall, int topLogprobs) {}

    /** @param parser of its own */
    AnswerText(int choice, Tokenizer tokenizer, OutputParser parser, Wanted wanted) {
        this.choice = choice;
        this.tokenizer = tokenizer;
        this.words = new TokenLogprobs(tokenizer, wanted.topLogprobs());
        this.detokenizer = tokenizer.detokenizer();
        this.parser = parser;
        this.wanted = wanted;
        this.stops = new StopMatcher(wanted.stops());
    }

    /** Takes a token; there is nothing more to take once it is over. */
    void add(int id, @Nullable RowLogprobs row) {
        if (isOver()) {
            return;
        }
        tokens++;
        boolean special = tokenizer.isSpecial(id);
        String written = special ? tokenizer.tokenText(id) : detokenizer.add(id);
        ranges.add(written, special, wanted.topLogprobs() >= 0 && row != null ? words.of(id, row) : null);
        parser.feed(written, this::accept);
    }

    private void accept(Piece piece) {
        if (isOver()) {
            return;
        }
        switch (piece) {
            case Piece.Text part -> {
                thinking = false;
                String visible = ranges.visible(part.start(), part.text());
                int length = part.text().length();
                textTokens.add(
                        part.start(), length, visible.length(), ranges.take(part.start(), part.start() + length));
                StopMatcher.Result result = stops.feed(visible);
                show(result.text());
                stop = result.stop();
            }
            case Piece.Reasoning part -> {
                if (!thinking) {
                    endText();
                    thinking = true;
                }
                reasoningTokens += ranges.take(
                                part.start(), part.start() + part.text().length())
                        .size();
                reasoning.append(ranges.visible(part.start(), part.text()));
            }
            case Piece.ToolCall call -> {
                thinking = false;
                endText();
                flushReasoning();
                ready.add(new GenerationEvent.ToolCall(choice, call.id(), call.name(), call.arguments()));
                calls++;
            }
        }
    }

    private void show(String more) {
        if (!more.isEmpty()) {
            flushReasoning();
            text.append(more);
            textTokens.show(more.length());
        }
    }

    /** No stop text goes on behind something else. */
    private void endText() {
        show(stops.flush());
        stops = new StopMatcher(wanted.stops());
        // tokens that stand for no text wait for the next one
        if (!text.isEmpty()) {
            flushText(textTokens.takeRest());
        }
    }

    private void flushReasoning() {
        if (!reasoning.isEmpty()) {
            ready.add(new GenerationEvent.ReasoningDelta(choice, reasoning.toString()));
            reasoning.setLength(0);
        }
    }

    private void flushText(List<TokenLogprob> tokensOfIt) {
        if (!text.isEmpty() || !tokensOfIt.isEmpty()) {
            ready.add(new GenerationEvent.Delta(choice, text.toString(), tokensOfIt));
            text.setLength(0);
        }
    }

    /** What may be shown now; often nothing. */
    List<GenerationEvent> take() {
        flushReasoning();
        flushText(stop == null ? textTokens.takeShown() : textTokens.takeRest());
        return takeReady();
    }

    private List<GenerationEvent> takeReady() {
        List<GenerationEvent> taken = List.copyOf(ready);
        ready.clear();
        return taken;
    }

    /** The model has ended: what was held back in case something else followed. */
    List<GenerationEvent> end() {
        String rest = detokenizer.finish();
        ranges.add(rest, false, null);
        parser.feed(rest, this::accept);
        parser.finish(this::accept);
        if (!isOver()) {
            show(stops.flush());
        }
        flushReasoning();
        flushText(textTokens.takeRest());
        return takeReady();
    }

    void finish() {
        finished = true;
    }

    boolean isFinished() {
        return finished;
    }

    /** Whether there is nothing more to come, though the model may go on. */
    boolean isOver() {
        return stop != null || wanted.oneCall() && calls > 0;
    }

    /** Why the choice ended, given why the model did. */
    FinishReason reason(FinishReason modelEnded) {
        return modelEnded == FinishReason.STOP && calls > 0 ? FinishReason.TOOL_CALLS : modelEnded;
    }

    int tokens() {
        return tokens;
    }

    int reasoningTokens() {
        return reasoningTokens;
    }

    @Nullable
    String stop() {
        return stop;
    }
}
