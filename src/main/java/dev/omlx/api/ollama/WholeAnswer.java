package dev.omlx.api.ollama;

import dev.omlx.api.ollama.AnswerLine.Call;
import dev.omlx.api.ollama.AnswerLine.Ending;
import dev.omlx.api.ollama.AnswerLine.Part;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
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
import org.jspecify.annotations.Nullable;

/** Collects one answer's events into its only line. For one request, and for one thread at a time. */
final class WholeAnswer {
    private final AnswerRequest request;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder thinking = new StringBuilder();
    private final List<TokenLogprob> tokens = new ArrayList<>();
    private final List<Call> calls = new ArrayList<>();
    private @Nullable FinishReason reason;
    private @Nullable Completed completed;

    WholeAnswer(AnswerRequest request) {
        this.request = request;
    }

    void add(GenerationEvent event) {
        switch (event) {
            case Started started -> {}
            case Delta delta -> {
                text.append(delta.text());
                tokens.addAll(delta.tokens());
            }
            case ReasoningDelta delta -> thinking.append(delta.text());
            case ToolCall call -> calls.add(Call.of(call, calls.size()));
            case ChoiceFinished finished -> reason = finished.reason();
            case Completed ending -> completed = ending;
        }
    }

    /** The line, once all events are in. */
    AnswerLine line() {
        if (reason == null || completed == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        Part part = Part.of(request.shape(), text.toString(), thinking.toString(), calls);
        return AnswerLine.of(request, part, tokens, Ending.of(reason, completed));
    }
}
