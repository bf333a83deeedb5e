package dev.omlx.api.anthropic;

import dev.omlx.api.json.Json;
import dev.omlx.api.stream.DeltaBuffer;
import dev.omlx.api.stream.SseFrames;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Turns one answer's events into the frames of its stream: the message's start, its blocks one after the other, each with
 * its start, its deltas and its stop, and the message's end. For one request, and for one thread at a time.
 */
final class MessageStream {
    private static final String PING = frame(new StreamEvent.Ping());

    private final MessagesRequest request;
    private final DeltaBuffer buffer;
    private int block = -1;
    private boolean open;
    /** Whether the open block is of thoughts, else of text. */
    private boolean thinking;

    private @Nullable ChoiceFinished finished;

    /** @param interval tokens per frame; the first token is always sent at once */
    MessageStream(MessagesRequest request, int interval) {
        this.request = request;
        this.buffer = new DeltaBuffer(interval);
    }

    /** The frames that an event brings about; possibly none. */
    List<String> frames(GenerationEvent event) {
        List<String> frames = new ArrayList<>(4);
        buffer.take(event).forEach(ready -> add(ready, frames));
        return frames;
    }

    private void add(GenerationEvent event, List<String> frames) {
        switch (event) {
            case Started started ->
                frames.add(frame(new StreamEvent.MessageStart(
                        Message.of(request, List.of(), null, Message.Counts.ofPrompt(started.promptTokens())))));
            case Delta delta -> say(delta.text(), false, frames);
            case ReasoningDelta delta -> say(delta.text(), true, frames);
            case ToolCall call -> use(call, frames);
            case ChoiceFinished ending -> {
                finished = ending;
                close(frames);
            }
            case Completed completed -> end(completed, frames);
        }
    }

    /** A valid frame that says nothing. */
    String idle() {
        return PING;
    }

    private void say(String text, boolean thoughts, List<String> frames) {
        if (open && thinking != thoughts) {
            close(frames);
        }
        if (!open) {
            open = true;
            thinking = thoughts;
            start(thoughts ? new Message.Thinking("", "") : new Message.Text(""), frames);
        }
        add(thoughts ? new StreamEvent.ThinkingDelta(text) : new StreamEvent.TextDelta(text), frames);
    }

    private void use(ToolCall call, List<String> frames) {
        close(frames);
        start(new Message.ToolUse(call.id(), call.name(), JsonNodeFactory.instance.objectNode()), frames);
        add(new StreamEvent.InputJsonDelta(call.arguments()), frames);
        frames.add(frame(new StreamEvent.BlockStop(block)));
    }

    private void start(Message.Block content, List<String> frames) {
        block++;
        frames.add(frame(new StreamEvent.BlockStart(block, content)));
    }

    private void add(StreamEvent.Delta delta, List<String> frames) {
        frames.add(frame(new StreamEvent.BlockDelta(block, delta)));
    }

    private void close(List<String> frames) {
        if (open) {
            if (thinking) {
                add(new StreamEvent.SignatureDelta(Message.Thinking.SIGNATURE), frames);
            }
            open = false;
            frames.add(frame(new StreamEvent.BlockStop(block)));
        }
    }

    private void end(Completed completed, List<String> frames) {
        if (finished == null) {
            throw new EngineException.Failed("the answer ended too early", null);
        }
        frames.add(frame(new StreamEvent.MessageDelta(
                Message.Stop.of(finished, completed.usage(), request), Message.Counts.of(completed.usage()))));
        frames.add(frame(new StreamEvent.MessageStop()));
    }

    private static String frame(StreamEvent event) {
        return SseFrames.event(event.type(), Json.write(event));
    }
}
