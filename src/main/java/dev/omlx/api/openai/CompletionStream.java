package dev.omlx.api.openai;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns the events of all prompts into the frames of one stream. For one request, and for one thread at a time. */
final class CompletionStream {
    private final CompletionRequest request;
    private final int interval;
    private final ChunkFrames frames;
    private final List<Part> parts;
    private final UsageSum usage = new UsageSum();
    private boolean opened;

    /**
     * @param created when the answer began, in seconds since 1970
     * @param interval tokens per frame; a choice's first token is always sent at once
     */
    CompletionStream(CompletionRequest request, long created, int interval) {
        this.request = request;
        this.interval = interval;
        this.frames = new ChunkFrames(
                request.id(),
                Completion.OBJECT,
                created,
                request.model(),
                request.stream().includeUsage());
        this.parts = Stream.generate(Part::new)
                .limit((long) request.generations().size() * request.choices())
                .toList();
    }

    /** The frames that an event brings about; possibly none. */
    List<String> frames(PromptEvent happened) {
        return switch (happened.event()) {
            case Started started -> opening();
            case Delta delta -> frames(delta, request.index(happened.prompt(), delta.choice()));
            // the continuation of a text is not taken apart
            case ReasoningDelta none -> List.of();
            case ToolCall none -> List.of();
            case ChoiceFinished finished ->
                frames(finished.reason(), request.index(happened.prompt(), finished.choice()));
            case Completed completed -> end(completed);
        };
    }

    /** A valid frame that says nothing. */
    String idle() {
        return chunk("", 0, null, null);
    }

    /** The first frame goes out before the first token, since the prompt may take long. */
    private List<String> opening() {
        List<String> first = opened ? List.of() : List.of(idle());
        opened = true;
        return first;
    }

    private List<String> frames(Delta delta, int index) {
        Part part = parts.get(index);
        part.buffer.add(delta);
        boolean full = !part.begun || part.buffer.size() >= interval;
        if (!full || !part.buffer.hasText()) {
            return List.of();
        }
        part.begun = true;
        return List.of(content(index, null));
    }

    private List<String> frames(FinishReason reason, int index) {
        List<String> last = new ArrayList<>(2);
        if (parts.get(index).buffer.hasText()) {
            last.add(content(index, null));
        }
        // tokens that brought no text, such as one cut within a character
        last.add(content(index, FinishReasons.of(reason)));
        return last;
    }

    private List<String> end(Completed completed) {
        usage.add(completed.usage());
        if (usage.counted() < request.generations().size()) {
            return List.of();
        }
        return request.stream().includeUsage()
                ? List.of(frames.usage(usage.body()), ChunkFrames.DONE)
                : List.of(ChunkFrames.DONE);
    }

    private String content(int index, @Nullable String finishReason) {
        Part part = parts.get(index);
        ChoiceBuffer.Content content = part.buffer.take();
        CompletionLogprobs logprobs =
                content.tokens().isEmpty() ? null : CompletionLogprobs.of(content.tokens(), part.offsets);
        return chunk(content.text(), index, logprobs, finishReason);
    }

    private String chunk(String text, int index, @Nullable CompletionLogprobs logprobs, @Nullable String finishReason) {
        return frames.chunk(new Completion.Choice(text, index, logprobs, finishReason));
    }

    /** One choice of one prompt. */
    private static final class Part {
        private final ChoiceBuffer buffer = new ChoiceBuffer();
        private final TextOffsets offsets = new TextOffsets();
        private boolean begun;
    }
}
