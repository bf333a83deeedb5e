package dev.omlx.api.openai;

import dev.omlx.api.openai.ChatChunk.Call;
import dev.omlx.api.openai.ChatChunk.Choice;
import dev.omlx.api.openai.ChatChunk.Delta;
import dev.omlx.api.openai.ChatChunk.Function;
import dev.omlx.api.openai.ChatChunk.Nothing;
import dev.omlx.api.openai.ChatChunk.Opening;
import dev.omlx.api.openai.ChatChunk.Reasoning;
import dev.omlx.api.openai.ChatChunk.Text;
import dev.omlx.api.openai.ChatChunk.ToolCalls;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Turns one answer's events into the frames of its stream. For one request, and for one thread at a time.
 */
final class ChatStream {
    private final ChatCompletionRequest request;
    private final int interval;
    private final ChunkFrames frames;
    private final List<ChoiceBuffer> buffers;
    private final boolean[] begun;
    private final int[] calls;

    /**
     * @param created when the answer began, in seconds since 1970
     * @param interval tokens per frame; a choice's first token is always sent at once
     */
    ChatStream(ChatCompletionRequest request, long created, int interval) {
        this.request = request;
        this.interval = interval;
        this.frames = new ChunkFrames(
                request.generation().id(), ChatChunk.OBJECT, created, request.model(), request.includeUsage());
        this.buffers = IntStream.range(0, request.choices())
                .mapToObj(choice -> new ChoiceBuffer())
                .toList();
        this.begun = new boolean[request.choices()];
        this.calls = new int[request.choices()];
    }

    /** The frames that an event brings about; possibly none. */
    List<String> frames(GenerationEvent event) {
        return switch (event) {
            case Started started ->
                IntStream.range(0, request.choices())
                        .mapToObj(choice -> chunk(choice, Opening.ASSISTANT))
                        .toList();
            case GenerationEvent.Delta delta -> frames(delta);
            case ReasoningDelta delta -> frames(delta);
            case ToolCall call -> frames(call);
            case ChoiceFinished finished -> frames(finished);
            case Completed completed ->
                request.includeUsage()
                        ? List.of(frames.usage(UsageBody.of(completed.usage())), ChunkFrames.DONE)
                        : List.of(ChunkFrames.DONE);
        };
    }

    /** A valid frame that says nothing. */
    String idle() {
        return chunk(0, Nothing.INSTANCE);
    }

    private List<String> frames(GenerationEvent.Delta delta) {
        int choice = delta.choice();
        ChoiceBuffer buffer = buffers.get(choice);
        List<String> frames = new ArrayList<>(2);
        if (buffer.hasReasoning() && !delta.text().isEmpty()) {
            frames.add(reasoning(choice, buffer));
        }
        buffer.add(delta);
        if (buffer.hasText() && isDue(choice, buffer)) {
            frames.add(content(choice, buffer));
        }
        return frames;
    }

    private List<String> frames(ReasoningDelta delta) {
        int choice = delta.choice();
        ChoiceBuffer buffer = buffers.get(choice);
        List<String> frames = new ArrayList<>(2);
        if (buffer.hasText()) {
            frames.add(content(choice, buffer));
        }
        buffer.addReasoning(delta.text());
        if (isDue(choice, buffer)) {
            frames.add(reasoning(choice, buffer));
        }
        return frames;
    }

    /** Whether there is enough for a frame; the first token is. */
    private boolean isDue(int choice, ChoiceBuffer buffer) {
        boolean due = !begun[choice] || buffer.size() >= interval;
        begun[choice] = true;
        return due;
    }

    /** First what is called, then with what. */
    private List<String> frames(ToolCall call) {
        int choice = call.choice();
        List<String> frames = flush(choice);
        int index = calls[choice]++;
        frames.add(chunk(
                choice,
                new ToolCalls(new Call(index, call.id(), ToolCallBody.FUNCTION, new Function(call.name(), "")))));
        frames.add(chunk(choice, new ToolCalls(new Call(index, null, null, new Function(null, call.arguments())))));
        return frames;
    }

    private List<String> frames(ChoiceFinished finished) {
        int choice = finished.choice();
        List<String> frames = flush(choice);
        // tokens that brought no text, such as one cut within a character
        LogprobsBody rest = logprobs(buffers.get(choice).take());
        frames.add(chunk(new Choice(choice, Nothing.INSTANCE, rest, FinishReasons.of(finished.reason()))));
        return frames;
    }

    /** All that the choice has said and not sent. */
    private List<String> flush(int choice) {
        ChoiceBuffer buffer = buffers.get(choice);
        List<String> frames = new ArrayList<>(3);
        if (buffer.hasReasoning()) {
            frames.add(reasoning(choice, buffer));
        }
        if (buffer.hasText()) {
            frames.add(content(choice, buffer));
        }
        return frames;
    }

    private String reasoning(int choice, ChoiceBuffer buffer) {
        return chunk(choice, new Reasoning(buffer.takeReasoning()));
    }

    private String content(int choice, ChoiceBuffer buffer) {
        ChoiceBuffer.Content content = buffer.take();
        return chunk(new Choice(choice, new Text(content.text()), logprobs(content), null));
    }

    private static @Nullable LogprobsBody logprobs(ChoiceBuffer.Content content) {
        return content.tokens().isEmpty() ? null : LogprobsBody.of(content.tokens());
    }

    private String chunk(int choice, Delta delta) {
        return chunk(new Choice(choice, delta, null, null));
    }

    private String chunk(Choice choice) {
        return frames.chunk(choice);
    }
}
