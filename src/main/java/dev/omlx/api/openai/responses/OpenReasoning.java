package dev.omlx.api.openai.responses;

import dev.omlx.api.error.RequestId;
import java.util.List;

/** Thoughts that are being thought. */
final class OpenReasoning extends OpenItem {
    private final boolean summary;

    /** @param summary show them as a summary */
    OpenReasoning(int outputIndex, boolean summary) {
        super(RequestId.random("rs_"), outputIndex);
        this.summary = summary;
    }

    @Override
    void begin(List<StreamEvent> events) {
        OutputItem.Part empty = part("");
        events.add(StreamEvent.OfItem.added(
                outputIndex, new OutputItem.Reasoning(id, OutputItem.IN_PROGRESS, List.of(), List.of())));
        events.add(
                summary
                        ? StreamEvent.OfSummary.added(id, outputIndex, empty)
                        : StreamEvent.OfContent.added(id, outputIndex, empty));
    }

    @Override
    StreamEvent delta(String more) {
        return summary
                ? new StreamEvent.SummaryDelta(id, outputIndex, more)
                : new StreamEvent.ThoughtsDelta(id, outputIndex, more);
    }

    @Override
    OutputItem end(String status, List<StreamEvent> events) {
        OutputItem.Part part = part(text());
        if (summary) {
            events.add(new StreamEvent.SummaryDone(id, outputIndex, part.text()));
            events.add(StreamEvent.OfSummary.done(id, outputIndex, part));
        } else {
            events.add(new StreamEvent.ThoughtsDone(id, outputIndex, part.text()));
            events.add(StreamEvent.OfContent.done(id, outputIndex, part));
        }
        List<OutputItem.Part> parts = List.of(part);
        OutputItem reasoning =
                new OutputItem.Reasoning(id, status, summary ? parts : List.of(), summary ? List.of() : parts);
        events.add(StreamEvent.OfItem.done(outputIndex, reasoning));
        return reasoning;
    }

    private OutputItem.Part part(String text) {
        return new OutputItem.Part(summary ? "summary_text" : "reasoning_text", text);
    }
}
