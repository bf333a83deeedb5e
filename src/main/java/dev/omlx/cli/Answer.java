package dev.omlx.cli;

import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationEvent.ReasoningDelta;
import dev.omlx.engine.api.GenerationEvent.Started;
import dev.omlx.engine.api.GenerationEvent.ToolCall;
import dev.omlx.engine.api.Timings;
import dev.omlx.engine.api.Usage;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer as far as it has come. */
final class Answer {
    private final StringBuilder text = new StringBuilder();
    private final Consumer<String> display;
    private boolean thinking;
    private @Nullable FinishReason reason;
    private @Nullable Completed completed;

    private Answer(Consumer<String> display) {
        this.display = display;
    }

    /**
     * Follows an answer to its end.
     *
     * @param display is given the text as it comes
     * @param stop ends the answer early when it completes
     * @throws dev.omlx.engine.api.EngineException if there is no answer, or no more of it
     */
    static Answer follow(Flux<GenerationEvent> events, Consumer<String> display, Mono<Void> stop) {
        Answer answer = new Answer(display);
        events.takeUntilOther(stop).doOnNext(answer::accept).blockLast();
        return answer;
    }

    private void accept(GenerationEvent event) {
        switch (event) {
            case Started started -> {}
            case ReasoningDelta reasoning -> {
                thinking = true;
                display.accept(reasoning.text());
            }
            case ToolCall call -> throw new IllegalStateException("the conversation has no tools to call");
            case Delta delta -> {
                if (thinking) {
                    thinking = false;
                    display.accept("\n\n");
                }
                text.append(delta.text());
                display.accept(delta.text());
            }
            case ChoiceFinished finished -> reason = finished.reason();
            case Completed last -> completed = last;
        }
    }

    String text() {
        return text.toString();
    }

    /** How it went, for people; empty if it was ended early. */
    Optional<String> summary() {
        return Optional.ofNullable(completed).map(end -> summary(end.usage(), end.timings()));
    }

    private String summary(Usage usage, Timings timings) {
        int tokens = usage.completionTokens();
        String cut = reason == FinishReason.LENGTH ? ", cut at the limit" : "";
        return String.format(
                Locale.ROOT,
                "%d tokens, %.1f tokens/s, first after %s%s",
                tokens,
                timings.decodeRate(tokens),
                readable(timings.timeToFirstToken()),
                cut);
    }

    private static String readable(Duration time) {
        return time.toMillis() < 1000
                ? time.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
}
