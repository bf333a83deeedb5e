package dev.omlx.engine;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.ChoiceFinished;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.GenerationEvent.Delta;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.mlx.DeviceMemory;
import dev.omlx.mlx.Tensor;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.testsupport.RandomNumbers;
import dev.omlx.testsupport.TinyModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** Answers that begin with their prompt, and how likely its tokens were. */
class PromptEchoIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final SchedulerConfig SMALL_CHUNKS = new SchedulerConfig(
            8, 24, 8, Duration.ofMillis(100), 2.5, 0.4, Duration.ofSeconds(1), 1024, Duration.ofSeconds(30), 256);

    @TempDir
    private Path folder;

    private static GenerationRequest echo(Prompt prompt, int tokens, OutputOptions output) {
        return new GenerationRequest(
                "echo-" + System.nanoTime(),
                null,
                prompt,
                SamplingOptions.GREEDY,
                new StopConditions(tokens, 0, List.of(), Set.of(), true),
                output);
    }

    private static OutputOptions scored(int choices, int top) {
        return new OutputOptions(choices, true, top, true);
    }

    private static List<GenerationEvent> ask(MlxInferenceEngine engine, GenerationRequest request) {
        return requireNonNull(engine.generate(request).collectList().block(PATIENCE));
    }

    private static Delta firstDelta(List<GenerationEvent> events, int choice) {
        return events.stream()
                .filter(event -> event instanceof Delta delta && delta.choice() == choice)
                .map(Delta.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static Prompt.Tokens randomTokens(Random random, int length) {
        return new Prompt.Tokens(random.ints(length, 0, 256).boxed().toList());
    }

    /** What the model gives for the token after that prefix, forced to come. */
    private static float logprobOf(MlxInferenceEngine engine, List<Integer> prefix, int token) {
        SamplingOptions forced =
                new SamplingOptions(0.0, null, null, null, null, null, null, null, Map.of(token, 1000f));
        List<GenerationEvent> events = ask(
                engine,
                new GenerationRequest(
                        "forced-" + System.nanoTime(),
                        null,
                        new Prompt.Tokens(prefix),
                        forced,
                        StopConditions.after(1),
                        new OutputOptions(1, true, 0)));
        return events.stream()
                .filter(Delta.class::isInstance)
                .flatMap(event -> ((Delta) event).tokens().stream())
                .findFirst()
                .map(TokenLogprob::logprob)
                .orElse(Float.NaN);
    }

    @Test
    void everyTokenIsAsLikelyAsIfItHadBeenGenerated() {
        try (MlxInferenceEngine engine = TestEngines.start(TinyModel.in(folder), SMALL_CHUNKS)) {
            // letters alone, so that each token is text and none waits for the rest of a character
            List<Integer> ids =
                    RandomNumbers.seeded().ints(60, 'a', 'z').boxed().toList();
            Delta prompt = firstDelta(ask(engine, echo(new Prompt.Tokens(ids), 0, scored(1, 3))), 0);

            assertThat(prompt.tokens()).extracting(TokenLogprob::id).isEqualTo(ids);
            assertThat(prompt.tokens().getFirst().logprob()).isNaN();
            assertThat(prompt.tokens().getFirst().top()).isEmpty();
            for (int i = 1; i < ids.size(); i++) {
                TokenLogprob token = prompt.tokens().get(i);
                assertThat(token.logprob())
                        .as("token %d", i)
                        .isCloseTo(logprobOf(engine, ids.subList(0, i), ids.get(i)), within(1e-3f));
                assertThat(token.top())
                        .hasSize(3)
                        .isSortedAccordingTo((a, b) -> Float.compare(b.logprob(), a.logprob()));
                assertThat(token.logprob())
                        .isLessThanOrEqualTo(token.top().getFirst().logprob());
            }
        }
    }

    @Test
    void aPromptAloneGivesNothingElse() {
        try (MlxInferenceEngine engine = TestEngines.start(TinyModel.in(folder), SchedulerConfig.DEFAULT)) {
            List<GenerationEvent> events = ask(engine, echo(new Prompt.Text("Grüße, 世界"), 0, scored(1, 0)));

            assertThat(events).hasSize(4);
            Delta prompt = (Delta) events.get(1);
            assertThat(prompt.text()).isEqualTo("Grüße, 世界");
            assertThat(prompt.tokens()).hasSize(((GenerationEvent.Started) events.getFirst()).promptTokens());
            assertThat(prompt.tokens().stream()
                            .flatMap(token -> IntStream.range(0, token.bytes().length)
                                    .mapToObj(i -> String.format("%02x", token.bytes()[i])))
                            .collect(Collectors.joining()))
                    .isEqualTo(HexFormat.of().formatHex(prompt.text().getBytes(StandardCharsets.UTF_8)));
            assertThat(events.get(2)).isInstanceOf(ChoiceFinished.class);
            assertThat(((Completed) events.get(3)).usage().completionTokens()).isZero();
        }
    }

    @Test
    void withoutLogprobsItIsTextAlone() {
        try (MlxInferenceEngine engine = TestEngines.start(TinyModel.in(folder), SchedulerConfig.DEFAULT)) {
            List<GenerationEvent> events =
                    ask(engine, echo(new Prompt.Tokens(List.of(72, 105, 33)), 5, new OutputOptions(2, false, 0, true)));

            for (int choice = 0; choice < 2; choice++) {
                assertThat(firstDelta(events, choice)).isEqualTo(new Delta(choice, "Hi!", List.of()));
            }
        }
    }

    @Test
    void manyAtOnceGetWhatTheyGetAloneWhateverFails() {
        Random random = RandomNumbers.seeded();
        WatchedRunner.Hooks hooks = new WatchedRunner.Hooks();
        try (MlxInferenceEngine engine =
                TestEngines.start(TinyModel.in(folder), SMALL_CHUNKS, runner -> new WatchedRunner(runner, hooks))) {
            List<GenerationRequest> requests = IntStream.range(0, 10)
                    .mapToObj(i -> echo(randomTokens(random, 1 + random.nextInt(150)), 4, scored(1 + i % 3, 2)))
                    .toList();
            List<List<GenerationEvent>> alone =
                    requests.stream().map(request -> ask(engine, request)).toList();
            int steps = hooks.steps.get();
            AtomicBoolean failed = new AtomicBoolean();
            hooks.beforeRead = plan -> {
                if (hooks.steps.get() > steps + 12 && plan.work().size() > 1 && failed.compareAndSet(false, true)) {
                    throw new IllegalStateException("a fault of the device");
                }
            };
            List<List<GenerationEvent>> together = requireNonNull(Flux.fromIterable(requests)
                    .flatMapSequential(request -> engine.generate(request).collectList(), 10)
                    .collectList()
                    .block(PATIENCE));

            assertThat(failed).isTrue();
            for (int i = 0; i < requests.size(); i++) {
                for (int choice = 0; choice < requests.get(i).output().choices(); choice++) {
                    assertSame(firstDelta(together.get(i), choice), firstDelta(alone.get(i), choice));
                }
            }
        }
    }

    private static void assertSame(Delta prompt, Delta expected) {
        assertThat(prompt.text()).isEqualTo(expected.text());
        assertThat(prompt.tokens()).hasSameSizeAs(expected.tokens());
        for (int i = 1; i < prompt.tokens().size(); i++) {
            TokenLogprob token = prompt.tokens().get(i);
            assertThat(token.id()).isEqualTo(expected.tokens().get(i).id());
            assertThat(token.logprob()).isCloseTo(expected.tokens().get(i).logprob(), within(1e-3f));
        }
    }

    @Test
    void aLongPromptIsScoredInLittleMemory() {
        try (MlxInferenceEngine engine = TestEngines.smollm2()) {
            Prompt prompt = new Prompt.Text("The quick brown fox jumps over the lazy dog. ".repeat(60));
            peak(engine, echo(prompt, 1, new OutputOptions(1, false, 0, true)));
            long live = Tensor.live();
            long plain = peak(engine, echo(prompt, 1, new OutputOptions(1, false, 0, true)));
            long scored = peak(engine, echo(prompt, 1, scored(1, 5)));
            long allLogits = 600L * 49152 * Float.BYTES;

            System.out.println("peak " + plain + ", with log-probabilities " + scored);
            assertThat(scored - plain).isLessThan(allLogits / 3);
            assertThat(Tensor.live()).isEqualTo(live);
        }
    }

    private static long peak(MlxInferenceEngine engine, GenerationRequest request) {
        DeviceMemory.clearCache();
        DeviceMemory.resetPeak();
        ask(engine, request);
        await().until(() -> engine.status().running() == 0);
        return DeviceMemory.peak();
    }

    @Test
    void smolLmFindsTheLikelyContinuation() {
        try (MlxInferenceEngine engine = TestEngines.smollm2()) {
            assertThat(meanLogprob(engine, "The capital of France is Paris."))
                    .isGreaterThan(meanLogprob(engine, "The capital of France is banana.") + 0.5);
        }
    }

    private static double meanLogprob(MlxInferenceEngine engine, String text) {
        return firstDelta(ask(engine, echo(new Prompt.Text(text), 0, scored(1, 1))), 0).tokens().stream()
                .skip(1)
                .mapToDouble(TokenLogprob::logprob)
                .average()
                .orElseThrow();
    }
}
