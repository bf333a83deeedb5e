package dev.omlx.api.openai;

import dev.omlx.engine.api.EngineException.Overloaded;
import dev.omlx.engine.api.InferenceEngine;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;

/**
 * The prompts of one completion, several at once. The engine may have room for fewer of them, since its queue is short or
 * others wait in it: those that it refuses have their turn when the others of this completion are answered. The completion
 * is refused only if none of them is taken at first; once there is an answer, the others wait for room. For one
 * subscription.
 */
final class PromptRounds {
    /** Answers of one request that are generated at once: more would push others out of the queue. */
    private static final int ANSWERS_AT_ONCE = 16;

    private static final Duration FIRST_WAIT = Duration.ofMillis(10);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final InferenceEngine engine;
    private final CompletionRequest request;
    private final Queue<Integer> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Overloaded refusal;
    private volatile boolean begun;

    private PromptRounds(InferenceEngine engine, CompletionRequest request) {
        this.engine = engine;
        this.request = request;
        IntStream.range(0, request.generations().size()).forEach(waiting::add);
    }

    /** What happens to all prompts of the request; nothing before subscription. */
    static Flux<PromptEvent> events(InferenceEngine engine, CompletionRequest request) {
        return Flux.defer(() -> {
            PromptRounds rounds = new PromptRounds(engine, request);
            return Flux.defer(rounds::round)
                    .retryWhen(rounds.untilThereIsRoom())
                    .repeat(() -> !rounds.waiting.isEmpty());
        });
    }

    private Retry untilThereIsRoom() {
        return Retry.backoff(Long.MAX_VALUE, FIRST_WAIT)
                .maxBackoff(LONGEST_WAIT)
                .transientErrors(true)
                .filter(failure -> begun && failure instanceof Overloaded);
    }

    private Flux<PromptEvent> round() {
        List<Integer> prompts = List.copyOf(waiting);
        waiting.clear();
        refusal = null;
        return Flux.fromIterable(prompts)
                .flatMap(this::events, Math.max(1, ANSWERS_AT_ONCE / request.candidates()))
                .concatWith(Flux.defer(() -> refusalOfAll(prompts.size())));
    }

    /** Once one is refused, the rest of its round do not try either. */
    private Flux<PromptEvent> events(int prompt) {
        if (refusal != null) {
            waiting.add(prompt);
            return Flux.empty();
        }
        return engine.generate(request.generations().get(prompt))
                .map(event -> new PromptEvent(prompt, event))
                .onErrorResume(Overloaded.class, refused -> {
                    refusal = refused;
                    waiting.add(prompt);
                    return Flux.empty();
                });
    }

    private Flux<PromptEvent> refusalOfAll(int prompts) {
        Overloaded refused = refusal;
        if (refused != null && waiting.size() == prompts) {
            return Flux.error(refused);
        }
        begun = true;
        return Flux.empty();
    }
}
