package dev.omlx.api.stream;

import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.engine.api.TokenLogprob;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers the deltas of an answer into fewer, larger ones. The first one, and the first one of another kind, passes at
 * once. For one request of one choice, and for one thread at a time.
 */
public final class DeltaBuffer {
    private final int interval;
    private final StringBuilder text = new StringBuilder();
    private final List<TokenLogprob> tokens = new ArrayList<>();
    private int deltas;
    /** Whether the gathered text, or the one before, is of thoughts. */
    private boolean thoughts;

    private boolean begun;

    /** @param interval how many deltas to gather */
    public DeltaBuffer(int interval) {
        this.interval = interval;
    }

    /** What is to be sent now, in order; no delta among it is without text and tokens. */
    public List<GenerationEvent> take(GenerationEvent event) {
        List<GenerationEvent> ready = new ArrayList<>(2);
        switch (event) {
            case Delta delta -> gather(delta.text(), delta.tokens(), false, ready);
            case ReasoningDelta delta -> gather(delta.text(), List.of(), true, ready);
            case Started started -> pass(started, ready);
            case ToolCall call -> pass(call, ready);
            case ChoiceFinished finished -> pass(finished, ready);
            case Completed completed -> pass(completed, ready);
        }
        return ready;
    }

    private void pass(GenerationEvent event, List<GenerationEvent> ready) {
        flush(ready);
        begun = false;
        ready.add(event);
    }

    private void gather(String more, List<TokenLogprob> itsTokens, boolean ofThoughts, List<GenerationEvent> ready) {
        if (thoughts != ofThoughts && !(more.isEmpty() && itsTokens.isEmpty())) {
            flush(ready);
            thoughts = ofThoughts;
            begun = false;
        }
        text.append(more);
        tokens.addAll(itsTokens);
        deltas++;
        if (!begun || deltas >= interval) {
            flush(ready);
        }
    }

    private void flush(List<GenerationEvent> ready) {
        if (!text.isEmpty() || !tokens.isEmpty()) {
            String gathered = text.toString();
            ready.add(thoughts ? new ReasoningDelta(0, gathered) : new Delta(0, gathered, tokens));
            begun = true;
        }
        text.setLength(0);
        tokens.clear();
        deltas = 0;
    }
}
