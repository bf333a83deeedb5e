package dev.omlx.api.openai;

import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.TokenLogprob;
import java.util.ArrayList;
import java.util.List;

/** What one choice has said, or thought, and not sent yet. */
final class ChoiceBuffer {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder reasoning = new StringBuilder();
    private final List<TokenLogprob> tokens = new ArrayList<>();
    private int deltas;

    void add(Delta delta) {
        text.append(delta.text());
        tokens.addAll(delta.tokens());
        deltas++;
    }

    void addReasoning(String more) {
        reasoning.append(more);
        deltas++;
    }

    /** How much is in it, in tokens where they are known, else in deltas. */
    int size() {
        return Math.max(deltas, tokens.size());
    }

    boolean hasText() {
        return !text.isEmpty();
    }

    boolean hasReasoning() {
        return !reasoning.isEmpty();
    }

    /** Takes the text out. */
    Content take() {
        Content content = new Content(text.toString(), List.copyOf(tokens));
        text.setLength(0);
        tokens.clear();
        deltas = 0;
        return content;
    }

    /** Takes the reasoning out. */
    String takeReasoning() {
        String taken = reasoning.toString();
        reasoning.setLength(0);
        deltas = 0;
        return taken;
    }

    /** Text and the tokens behind it. */
    record Content(String text, List<TokenLogprob> tokens) {}
}
