package dev.omlx.api.openai.responses;

import dev.omlx.api.error.RequestId;
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
import dev.omlx.engine.api.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns one answer's events into the items of its response and, on the way, into the events of its stream. For one request,
 * and for one thread at a time.
 */
final class ResponseAnswer {
    private final ResponseRequest request;
    private final int interval;
    private final long created = now();
    private final List<OutputItem> output = new ArrayList<>();
    /** Tokens of text that did not come yet, such as of half a character. */
    private final List<TokenLogprob> early = new ArrayList<>();

    private @Nullable OpenItem open;
    private @Nullable ChoiceFinished finished;
    private @Nullable Usage usage;
    private long ended;

    /** @param interval tokens per event; an item's first token always has its own */
    ResponseAnswer(ResponseRequest request, int interval) {
        this.request = request;
        this.interval = interval;
    }

    /** What an event brings about in the stream; possibly nothing. */
    List<StreamEvent> events(GenerationEvent event) {
        List<StreamEvent> events = new ArrayList<>(4);
        switch (event) {
            case Started started -> {
                events.add(new StreamEvent.OfResponse("response.created", response()));
                events.add(inProgress());
            }
            case Delta delta -> say(delta, events);
            case ReasoningDelta delta -> think(delta.text(), events);
            case ToolCall call -> call(call, events);
            case ChoiceFinished ending -> {
                finished = ending;
                close(isCut() ? OutputItem.INCOMPLETE : OutputItem.COMPLETED, events);
            }
            case Completed completed -> {
                usage = completed.usage();
                ended = now();
                ResponseBody response = response();
                events.add(new StreamEvent.OfResponse("response." + response.status(), response));
            }
        }
        return events;
    }

    /** An event that says nothing new. */
    StreamEvent inProgress() {
        return new StreamEvent.OfResponse("response.in_progress", body(OutputItem.IN_PROGRESS));
    }

    /** The last event of a stream that failed. */
    StreamEvent failed(ResponseBody.Failure failure) {
        return new StreamEvent.OfResponse("response.failed", response().failed(failure));
    }

    /** The response as it is by now. */
    ResponseBody response() {
        if (usage == null) {
            return body(OutputItem.IN_PROGRESS);
        }
        return body(isCut() ? OutputItem.INCOMPLETE : OutputItem.COMPLETED);
    }

    /** The response, once all events are in. */
    ResponseBody whole() {
        if (finished == null || usage == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        return response();
    }

    private boolean isCut() {
        return finished != null && finished.reason() == FinishReason.LENGTH;
    }

    private ResponseBody body(String status) {
        return new ResponseBody(
                request.id(),
                "response",
                created,
                status.equals(OutputItem.COMPLETED) ? ended : null,
                status,
                null,
                status.equals(OutputItem.INCOMPLETE) ? ResponseBody.Incomplete.MAX_OUTPUT_TOKENS : null,
                request.model().id(),
                List.copyOf(output),
                usage == null ? null : ResponseBody.Counts.of(usage),
                request.settings());
    }

    private void say(Delta delta, List<StreamEvent> events) {
        if (!(open instanceof OpenMessage) && delta.text().isEmpty()) {
            early.addAll(delta.tokens());
            return;
        }
        OpenMessage message = open instanceof OpenMessage said ? said : openMessage(events);
        message.add(delta.text(), delta.tokens());
        message.send(interval, events);
    }

    private OpenMessage openMessage(List<StreamEvent> events) {
        OpenMessage message = open(new OpenMessage(next(events)), events);
        message.add("", early);
        early.clear();
        return message;
    }

    private void think(String text, List<StreamEvent> events) {
        OpenReasoning reasoning = open instanceof OpenReasoning thought
                ? thought
                : open(
                        new OpenReasoning(
                                next(events), request.settings().reasoning().summary() != null),
                        events);
        reasoning.add(text);
        reasoning.send(interval, events);
    }

    private void call(ToolCall call, List<StreamEvent> events) {
        int index = next(events);
        String id = RequestId.random("fc_");
        events.add(StreamEvent.OfItem.added(
                index, new OutputItem.FunctionCall(id, OutputItem.IN_PROGRESS, call.id(), call.name(), "")));
        events.add(new StreamEvent.ArgumentsDelta(id, index, call.arguments()));
        events.add(new StreamEvent.ArgumentsDone(id, index, call.name(), call.arguments()));
        OutputItem item =
                new OutputItem.FunctionCall(id, OutputItem.COMPLETED, call.id(), call.name(), call.arguments());
        events.add(StreamEvent.OfItem.done(index, item));
        output.add(item);
    }

    /** Ends the item before; the index of the next one. */
    private int next(List<StreamEvent> events) {
        close(OutputItem.COMPLETED, events);
        return output.size();
    }

    private <T extends OpenItem> T open(T item, List<StreamEvent> events) {
        open = item;
        item.begin(events);
        return item;
    }

    private void close(String status, List<StreamEvent> events) {
        if (open != null) {
            open.sendRest(events);
            output.add(open.end(status, events));
            open = null;
        }
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }
}
