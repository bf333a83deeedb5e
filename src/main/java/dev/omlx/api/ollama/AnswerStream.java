package dev.omlx.api.ollama;

import dev.omlx.api.json.Json;
import dev.omlx.api.ollama.AnswerLine.Call;
import dev.omlx.api.ollama.AnswerLine.Ending;
import dev.omlx.api.ollama.AnswerLine.Part;
import dev.omlx.api.stream.DeltaBuffer;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns one answer's events into its lines. For one request, and for one thread at a time. */
final class AnswerStream {
    private final AnswerRequest request;
    private final DeltaBuffer buffer;
    private int calls;
    private @Nullable FinishReason reason;

    /** @param interval tokens per line; the first token is always sent at once */
    AnswerStream(AnswerRequest request, int interval) {
        this.request = request;
        this.buffer = new DeltaBuffer(interval);
    }

    /** The lines that an event brings about; possibly none. */
    List<String> lines(GenerationEvent event) {
        return buffer.take(event).stream()
                .flatMap(ready -> line(ready).stream())
                .toList();
    }

    /** A valid line that says nothing. */
    String idle() {
        return line(part("", "", List.of()), List.of(), null);
    }

    /** The last line of a stream that fails. */
    static String fault(String error) {
        return error + "\n";
    }

    private List<String> line(GenerationEvent event) {
        return switch (event) {
            // an early first line: the client sees that it is served, and keep-alive lines may follow
            case Started started -> List.of(idle());
            case Delta delta -> List.of(line(part(delta.text(), "", List.of()), delta.tokens(), null));
            case ReasoningDelta delta -> List.of(line(part("", delta.text(), List.of()), List.of(), null));
            case ToolCall call -> List.of(line(part("", "", List.of(Call.of(call, calls++))), List.of(), null));
            case ChoiceFinished finished -> {
                reason = finished.reason();
                yield List.of();
            }
            case Completed completed -> List.of(line(part("", "", List.of()), List.of(), ending(completed)));
        };
    }

    private Ending ending(Completed completed) {
        if (reason == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        return Ending.of(reason, completed);
    }

    private Part part(String text, String thinking, List<Call> called) {
        return Part.of(request.shape(), text, thinking, called);
    }

    private String line(Part part, List<TokenLogprob> tokens, @Nullable Ending ending) {
        return Json.write(AnswerLine.of(request, part, tokens, ending)) + "\n";
    }
}
