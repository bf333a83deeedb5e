package dev.omlx.engine;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.ffi.NativeSearch;
import dev.omlx.model.Precision;
import dev.omlx.parse.OutputFormat;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.testsupport.TestModels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Real engines for integration tests, and short ways to ask them. */
final class TestEngines {
    private static final AtomicInteger IDS = new AtomicInteger();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private TestEngines() {}

    static MlxInferenceEngine start(Path model, SchedulerConfig scheduler) {
        return start(model, scheduler, UnaryOperator.identity());
    }

    /** @param wrapper comes between the engine's loop and MLX */
    static MlxInferenceEngine start(Path model, SchedulerConfig scheduler, UnaryOperator<ModelRunner> wrapper) {
        return start(model, scheduler, wrapper, 8L << 30);
    }

    /** @param memoryLimit bytes that MLX may hold */
    static MlxInferenceEngine start(
            Path model, SchedulerConfig scheduler, UnaryOperator<ModelRunner> wrapper, long memoryLimit) {
        return start(model, scheduler, wrapper, memoryLimit, UnaryOperator.identity());
    }

    /** @param output how the model writes, given what its template shows */
    static MlxInferenceEngine start(
            Path model,
            SchedulerConfig scheduler,
            UnaryOperator<ModelRunner> wrapper,
            long memoryLimit,
            UnaryOperator<OutputFormat> output) {
        MlxInferenceEngine engine = new MlxInferenceEngine(
                new EngineSettings(
                        new ModelLocation("test", model),
                        new NativeSearch(null, Path.of(""), Path.of("target", "native")),
                        Precision::auto,
                        null,
                        memoryLimit,
                        scheduler,
                        SamplingDefaults.PLAIN,
                        output),
                wrapper);
        engine.start();
        return engine;
    }

    static MlxInferenceEngine smollm2() {
        return start(TestModels.smollm2(), SchedulerConfig.DEFAULT);
    }

    static Prompt chat(String text) {
        return Prompt.Chat.of(List.of(ChatMessage.user(text)));
    }

    static GenerationRequest request(Prompt prompt, SamplingOptions sampling, StopConditions stop) {
        return new GenerationRequest(
                "test-" + IDS.incrementAndGet(), null, prompt, sampling, stop, new OutputOptions(1, true, 0));
    }

    static GenerationRequest greedy(Prompt prompt, int tokens) {
        return request(prompt, SamplingOptions.GREEDY, StopConditions.after(tokens));
    }

    static Answered ask(MlxInferenceEngine engine, GenerationRequest request) {
        return Answered.of(
                Objects.requireNonNull(engine.generate(request).collectList().block(PATIENCE)));
    }

    /** Asks all of them at once; the answers stand in the order of the requests. */
    static List<Answered> askTogether(MlxInferenceEngine engine, List<GenerationRequest> requests) {
        return askTogether(engine, requests, answer -> answer);
    }

    /** @param outcome what becomes of each answer */
    static <T> List<T> askTogether(
            MlxInferenceEngine engine, List<GenerationRequest> requests, Function<Mono<Answered>, Mono<T>> outcome) {
        return Objects.requireNonNull(Flux.fromIterable(requests)
                .flatMapSequential(
                        request -> outcome.apply(
                                engine.generate(request).collectList().map(Answered::of)),
                        requests.size())
                .collectList()
                .block(PATIENCE.multipliedBy(4)));
    }

    /** A whole answer of one choice. */
    record Answered(String text, List<Integer> tokens, FinishReason reason, GenerationEvent.Completed completed) {
        static Answered of(List<GenerationEvent> events) {
            StringBuilder text = new StringBuilder();
            List<Integer> tokens = new java.util.ArrayList<>();
            FinishReason reason = null;
            for (GenerationEvent event : events) {
                switch (event) {
                    case GenerationEvent.Started started -> {}
                    case GenerationEvent.Delta delta -> {
                        text.append(delta.text());
                        delta.tokens().stream().map(TokenLogprob::id).forEach(tokens::add);
                    }
                    case GenerationEvent.ReasoningDelta reasoning -> {}
                    case GenerationEvent.ToolCall call -> {}
                    case GenerationEvent.ChoiceFinished finished -> reason = finished.reason();
                    case GenerationEvent.Completed completed -> {}
                }
            }
            return new Answered(text.toString(), tokens, Objects.requireNonNull(reason), (GenerationEvent.Completed)
                    events.getLast());
        }
    }
}
