package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.TestEngines.Answered;
import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.mlx.DeviceMemory;
import dev.omlx.mlx.Tensor;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.testsupport.TinyModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** What the engine promises its callers, on a tiny model through the real MLX. */
class MlxInferenceEngineIT {
    private static final int CONTEXT = 512;
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private static Path folder;

    private static MlxInferenceEngine engine;

    @BeforeAll
    static void start() {
        engine = TestEngines.start(TinyModel.in(folder.resolve("tiny")), SchedulerConfig.DEFAULT);
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    private static Answered greedy(String text, int tokens) {
        return TestEngines.ask(engine, TestEngines.greedy(TestEngines.chat(text), tokens));
    }

    private static Answered sampled(String text, SamplingOptions sampling) {
        return TestEngines.ask(engine, TestEngines.request(TestEngines.chat(text), sampling, StopConditions.after(40)));
    }

    private static SamplingOptions seeded(long seed) {
        return new SamplingOptions(1.0, null, null, null, null, null, null, seed, Map.of());
    }

    @Test
    void eventsComeInOrder() {
        StepVerifier.create(engine.generate(TestEngines.greedy(TestEngines.chat("order"), 3)))
                .expectNextMatches(GenerationEvent.Started.class::isInstance)
                .thenConsumeWhile(GenerationEvent.Delta.class::isInstance)
                .expectNextMatches(GenerationEvent.ChoiceFinished.class::isInstance)
                .expectNextMatches(GenerationEvent.Completed.class::isInstance)
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void theSameQuestionGetsTheSameAnswer() {
        Answered first = greedy("again", 30);
        assertThat(first.completed().usage().completionTokens()).isEqualTo(30);
        assertThat(first.reason()).isEqualTo(FinishReason.LENGTH);
        assertThat(greedy("again", 30).text()).isEqualTo(first.text());
    }

    @Test
    void freedMemoryGoesBackToTheSystemWhenNothingIsAskedForAWhile() {
        greedy("and then nothing", 10);
        assertThat(DeviceMemory.cached()).isPositive();

        await().atMost(EngineThread.QUIET.plusSeconds(5)).until(() -> DeviceMemory.cached() == 0);

        assertThat(greedy("again", 30).reason()).isEqualTo(FinishReason.LENGTH);
    }

    @Test
    void manyAtOnceGetWhatTheyGetAlone() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<GenerationRequest> requests = IntStream.range(0, 32)
                .mapToObj(i -> TestEngines.request(
                        TestEngines.chat("x".repeat(1 + random.nextInt(200)) + i),
                        i % 2 == 0 ? SamplingOptions.GREEDY : seeded(i),
                        StopConditions.after(1 + random.nextInt(40))))
                .toList();
        List<Answered> alone = requests.stream()
                .map(request -> TestEngines.ask(engine, request))
                .toList();
        List<Answered> together = Flux.fromIterable(requests)
                .flatMapSequential(
                        request -> engine.generate(request).collectList().map(Answered::of), 32)
                .collectList()
                .block(SOON);
        for (int i = 0; i < requests.size(); i++) {
            assertThat(Objects.requireNonNull(together).get(i).tokens())
                    .as("request %d, seed %d", i, seed)
                    .isEqualTo(alone.get(i).tokens());
        }
    }

    @Test
    void aSeedDecidesTheAnswer() {
        Answered first = sampled("seed", seeded(7));
        assertThat(sampled("seed", seeded(7)).tokens()).isEqualTo(first.tokens());
        assertThat(sampled("seed", seeded(8)).tokens()).isNotEqualTo(first.tokens());
    }

    @Test
    void filtersThatLeaveOneTokenAreGreedy() {
        List<Integer> greedy = greedy("filters", 40).tokens();
        assertThat(sampled("filters", new SamplingOptions(1.0, null, 1, null, null, null, null, 1L, Map.of()))
                        .tokens())
                .isEqualTo(greedy);
        assertThat(sampled("filters", new SamplingOptions(1.0, 1e-6, null, null, null, null, null, 1L, Map.of()))
                        .tokens())
                .isEqualTo(greedy);
        assertThat(sampled("filters", new SamplingOptions(1.0, null, null, 1.0, null, null, null, 1L, Map.of()))
                        .tokens())
                .isEqualTo(greedy);
    }

    @Test
    void logitBiasForcesAndForbids() {
        SamplingOptions forced = new SamplingOptions(0.0, null, null, null, null, null, null, null, Map.of(65, 100f));
        assertThat(sampled("bias", forced).tokens()).containsOnly(65);
        int first = greedy("bias", 1).tokens().getFirst();
        SamplingOptions forbidden =
                new SamplingOptions(0.0, null, null, null, null, null, null, null, Map.of(first, -100f));
        assertThat(sampled("bias", forbidden).tokens()).doesNotContain(first);
    }

    @Test
    void penaltiesKeepTokensFromComingAgain() {
        SamplingOptions none = new SamplingOptions(0.0, null, null, null, null, null, null, null, Map.of());
        SamplingOptions presence = new SamplingOptions(0.0, null, null, null, null, 2.0, 2.0, null, Map.of());
        assertThat(distinct(sampled("penalty", presence))).isGreaterThan(distinct(sampled("penalty", none)));
        SamplingOptions strict = new SamplingOptions(0.0, null, null, null, 1e9, null, null, null, Map.of());
        List<Integer> tokens = sampled("", strict).tokens();
        assertThat(tokens).doesNotHaveDuplicates();
    }

    private static int distinct(Answered answer) {
        return new HashSet<>(answer.tokens()).size();
    }

    @Test
    void aStopTextEndsTheAnswerAndIsNoPartOfIt() {
        String whole = greedy("stop", 60).text();
        String stop = whole.substring(10, 13);
        Answered stopped = TestEngines.ask(
                engine,
                TestEngines.request(
                        TestEngines.chat("stop"),
                        SamplingOptions.GREEDY,
                        new StopConditions(60, 0, List.of(stop), Set.of(), false)));
        assertThat(stopped.text()).isEqualTo(whole.substring(0, whole.indexOf(stop)));
        assertThat(stopped.reason()).isEqualTo(FinishReason.STOP);
        await().atMost(SOON).until(() -> engine.status().running() == 0);
    }

    @Test
    void aStopTokenEndsTheAnswerAndMinTokensDelayIt() {
        List<Integer> whole = greedy("ends", 30).tokens();
        int end = whole.get(5);
        Answered stopped = stopAt(end, 0);
        assertThat(stopped.tokens()).isEqualTo(whole.subList(0, whole.indexOf(end)));
        assertThat(stopped.reason()).isEqualTo(FinishReason.STOP);
        assertThat(stopAt(end, 20).tokens()).hasSizeGreaterThanOrEqualTo(20);
    }

    private static Answered stopAt(int token, int least) {
        return TestEngines.ask(
                engine,
                TestEngines.request(
                        TestEngines.chat("ends"),
                        SamplingOptions.GREEDY,
                        new StopConditions(30, least, List.of(), Set.of(token), false)));
    }

    @Test
    void choicesAreIndependentAnswers() {
        GenerationRequest request = new GenerationRequest(
                "choices",
                null,
                TestEngines.chat("choices"),
                seeded(3),
                StopConditions.after(20),
                new OutputOptions(3, false, 0));
        List<GenerationEvent> events =
                Objects.requireNonNull(engine.generate(request).collectList().block(SOON));
        List<String> texts = new ArrayList<>(List.of("", "", ""));
        int finished = 0;
        for (GenerationEvent event : events) {
            if (event instanceof GenerationEvent.Delta delta) {
                texts.set(delta.choice(), texts.get(delta.choice()) + delta.text());
            } else if (event instanceof GenerationEvent.ChoiceFinished) {
                finished++;
            }
        }
        assertThat(finished).isEqualTo(3);
        assertThat(texts).doesNotHaveDuplicates();
        assertThat(((GenerationEvent.Completed) events.getLast()).usage().completionTokens())
                .isEqualTo(60);
    }

    @Test
    void refusesWhatItCannotServe() {
        assertFails(
                TestEngines.greedy(TestEngines.chat("x".repeat(2 * CONTEXT)), 1),
                EngineException.ContextLengthExceeded.class);
        assertFails(TestEngines.greedy(new Prompt.Text(""), 1), EngineException.InvalidRequest.class);
        assertFails(TestEngines.greedy(new Prompt.Tokens(List.of(1, 256)), 1), EngineException.InvalidRequest.class);
        assertFails(
                new GenerationRequest(
                        "r",
                        "other",
                        TestEngines.chat("hi"),
                        SamplingOptions.DEFAULT,
                        StopConditions.NONE,
                        OutputOptions.DEFAULT),
                EngineException.ModelNotFound.class);
    }

    @Test
    void refusesFarTooLongPromptsWithoutEncodingThem() {
        long started = System.nanoTime();
        GenerationRequest tooLong = TestEngines.greedy(TestEngines.chat("a".repeat(20_000_000)), 1);
        assertFails(tooLong, EngineException.ContextLengthExceeded.class);
        assertThatThrownBy(() -> engine.generate(tooLong).blockLast(SOON)).hasMessageContaining("has at least");
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void aMessageThatOnlyCallsToolsNeedsNoText() {
        ChatMessage call =
                new ChatMessage("assistant", null, null, List.of(new ChatMessage.ToolCall("c", "f", "{}")), null, null);
        ChatMessage result = new ChatMessage("tool", "sunny", null, List.of(), "c", null);
        Prompt prompt = Prompt.Chat.of(List.of(ChatMessage.user("weather?"), call, result));
        assertThat(TestEngines.ask(engine, TestEngines.greedy(prompt, 3)).tokens())
                .hasSize(3);
    }

    private static void assertFails(GenerationRequest request, Class<? extends EngineException> type) {
        assertThatThrownBy(() -> engine.generate(request).blockLast(SOON)).isInstanceOf(type);
    }

    @Test
    void anAnswerFillsTheContextAndNoMore() {
        Answered answer = TestEngines.ask(
                engine,
                TestEngines.request(
                        new Prompt.Text("x".repeat(CONTEXT - 20)),
                        SamplingOptions.GREEDY,
                        StopConditions.after(10_000)));
        assertThat(answer.completed().usage().totalTokens()).isEqualTo(CONTEXT);
        assertThat(answer.reason()).isEqualTo(FinishReason.LENGTH);
    }

    @Test
    void cancelFreesEverythingSoon() {
        await().atMost(SOON).until(() -> engine.status().running() == 0);
        long live = Tensor.live();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<reactor.core.Disposable> subscriptions = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            subscriptions.add(engine.generate(TestEngines.request(
                            TestEngines.chat("x".repeat(random.nextInt(300))), seeded(i), StopConditions.NONE))
                    .subscribe(event -> {}, error -> {}));
            if (random.nextBoolean()) {
                subscriptions.removeLast().dispose();
            }
        }
        subscriptions.forEach(reactor.core.Disposable::dispose);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                engine.status().running() + engine.status().waiting())
                        .as("seed %d", seed)
                        .isZero());
        assertThat(greedy("after the storm", 5).tokens()).hasSize(5);
        await().atMost(SOON).untilAsserted(() -> assertThat(Tensor.live()).isEqualTo(live));
    }

    @Test
    void twoHundredConversationsLeaveNothingBehind() {
        long[] live = new long[200];
        long[] memory = new long[200];
        for (int i = 0; i < live.length; i++) {
            greedy("conversation " + i, 12);
            await().atMost(SOON).until(() -> engine.status().running() == 0);
            live[i] = Tensor.live();
            memory[i] = DeviceMemory.active();
        }
        assertThat(live).containsOnly(live[0]);
        assertThat(memory[199]).isLessThanOrEqualTo(memory[10]);
    }

    @Test
    void aFullQueueRefuses() {
        SchedulerConfig narrow = new SchedulerConfig(
                1,
                512,
                16,
                Duration.ofMillis(100),
                2.5,
                1.0 / 3,
                Duration.ofSeconds(1),
                2,
                Duration.ofSeconds(30),
                256);
        try (MlxInferenceEngine busy = TestEngines.start(TinyModel.in(folder.resolve("busy")), narrow)) {
            List<Throwable> refused = new ArrayList<>();
            List<Answered> answered = Flux.range(0, 20)
                    .flatMap(
                            i -> busy.generate(TestEngines.greedy(TestEngines.chat("queue " + i), 30))
                                    .collectList()
                                    .map(Answered::of)
                                    .onErrorResume(error -> {
                                        synchronized (refused) {
                                            refused.add(error);
                                        }
                                        return reactor.core.publisher.Mono.empty();
                                    }),
                            20)
                    .collectList()
                    .block(SOON);
            assertThat(refused).isNotEmpty().allMatch(EngineException.Overloaded.class::isInstance);
            assertThat(Objects.requireNonNull(answered).size() + refused.size()).isEqualTo(20);
        }
    }

    @Test
    void closingEndsEveryAnswerOnce() {
        MlxInferenceEngine closing =
                TestEngines.start(TinyModel.in(folder.resolve("closing")), SchedulerConfig.DEFAULT);
        long live = Tensor.live();
        var ends = Flux.range(0, 8)
                .flatMap(
                        i -> closing.generate(TestEngines.request(
                                        TestEngines.chat("close " + i), seeded(i), StopConditions.NONE))
                                .then(reactor.core.publisher.Mono.just("completed"))
                                .onErrorResume(
                                        EngineException.class, error -> reactor.core.publisher.Mono.just("failed")),
                        8)
                .collectList()
                .toFuture();
        await().atMost(SOON).until(() -> closing.status().running() > 0);
        closing.close();
        assertThat(ends.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join())
                .hasSize(8);
        assertThat(Tensor.live()).isLessThan(live);
        closing.close();
        assertFailsOn(closing);
    }

    private static void assertFailsOn(MlxInferenceEngine closed) {
        assertThatThrownBy(() -> closed.generate(TestEngines.greedy(TestEngines.chat("late"), 1))
                        .blockLast(SOON))
                .isInstanceOf(EngineException.Unavailable.class);
    }

    @Test
    void drainingRefusesNewRequestsAndEndsRunningOnes() {
        MlxInferenceEngine draining =
                TestEngines.start(TinyModel.in(folder.resolve("draining")), SchedulerConfig.DEFAULT);
        var running = draining.generate(TestEngines.greedy(TestEngines.chat("running"), 450))
                .collectList()
                .toFuture();
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> draining.status().running() > 0);
        var drained = draining.drain(SOON);
        await().atMost(SOON).until(() -> draining.status().phase() != dev.omlx.engine.api.EngineStatus.Phase.READY);
        assertFailsOn(draining);
        assertThat(running.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS)
                        .join()
                        .getLast())
                .isInstanceOf(GenerationEvent.Completed.class);
        drained.orTimeout(20, java.util.concurrent.TimeUnit.SECONDS).join();
        draining.close();
    }
}
