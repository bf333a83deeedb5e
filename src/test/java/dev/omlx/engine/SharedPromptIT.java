package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.engine.api.TokenLogprob;
import dev.omlx.mlx.Tensor;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.sched.StepPlan;
import dev.omlx.sched.Work;
import dev.omlx.testsupport.TinyModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;

/** The choices of a request compute their prompt once, through the real MLX, and answer as if each had done it itself. */
class SharedPromptIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    /** What the seeds of two neighbouring choices differ by. */
    private static final long STRIDE = 0x632BE59BD9B4E019L;

    @TempDir
    private static Path folder;

    private static final WatchedRunner.Hooks HOOKS = new WatchedRunner.Hooks();
    private static MlxInferenceEngine engine;

    private final AtomicInteger promptTokens = new AtomicInteger();
    private int asked;

    @BeforeAll
    static void start() {
        engine = TestEngines.start(
                TinyModel.in(folder), SchedulerConfig.DEFAULT, runner -> new WatchedRunner(runner, HOOKS));
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    @BeforeEach
    void count() {
        HOOKS.afterLaunch = this::count;
    }

    private void count(StepPlan plan) {
        for (Work work : plan.work()) {
            int end = Math.min(
                    work.startPosition() + work.tokenCount(), work.sequence().promptTokens());
            promptTokens.addAndGet(Math.max(0, end - work.startPosition()));
        }
    }

    private GenerationRequest request(int prompt, SamplingOptions sampling, int tokens, int choices) {
        return new GenerationRequest(
                "shared-" + ++asked,
                null,
                new Prompt.Text("abcdefg ".repeat(100).substring(0, prompt)),
                sampling,
                StopConditions.after(tokens),
                new OutputOptions(choices, true, 0));
    }

    private static List<List<Integer>> ask(GenerationRequest request) {
        List<List<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < request.output().choices(); i++) {
            answers.add(new ArrayList<>());
        }
        List<GenerationEvent> events =
                Objects.requireNonNull(engine.generate(request).collectList().block(SOON));
        for (GenerationEvent event : events) {
            if (event instanceof GenerationEvent.Delta delta) {
                delta.tokens().stream().map(TokenLogprob::id).forEach(answers.get(delta.choice())::add);
            }
        }
        return answers;
    }

    private static SamplingOptions seeded(long seed) {
        return new SamplingOptions(1.0, null, null, null, null, null, null, seed, Map.of());
    }

    private static SamplingOptions filtered(long seed) {
        return new SamplingOptions(0.8, 0.9, 40, null, 1.2, 0.5, 0.5, seed, Map.of());
    }

    @Test
    void greedyChoicesAreEqualAndThePromptIsComputedOnce() {
        for (int prompt : new int[] {1, 2, 100, 256, 257, 400}) {
            List<Integer> alone =
                    ask(request(prompt, SamplingOptions.GREEDY, 30, 1)).getFirst();
            promptTokens.set(0);
            List<List<Integer>> answers = ask(request(prompt, SamplingOptions.GREEDY, 30, 4));

            assertThat(answers).as("prompt of %d", prompt).hasSize(4).containsOnly(alone);
            // a byte is a token; of the only token there is nothing to share
            assertThat(promptTokens.get()).isEqualTo(prompt + 3);
        }
    }

    @Test
    void seededChoicesAreWhatTheyAreAlone() {
        long seed = 4711;
        for (boolean filters : new boolean[] {false, true}) {
            List<List<Integer>> together = ask(request(300, filters ? filtered(seed) : seeded(seed), 40, 4));
            for (int choice = 0; choice < 4; choice++) {
                long own = seed + choice * STRIDE;
                assertThat(together.get(choice))
                        .as("choice %d, filters %b", choice, filters)
                        .isEqualTo(ask(request(300, filters ? filtered(own) : seeded(own), 40, 1))
                                .getFirst());
            }
            assertThat(together).doesNotHaveDuplicates();
        }
    }

    @Test
    void choicesOfOneTokenShareToo() {
        List<List<Integer>> answers = ask(request(300, SamplingOptions.GREEDY, 1, 8));
        assertThat(answers).hasSize(8).containsOnly(answers.getFirst());
        assertThat(promptTokens.get()).isEqualTo(307);
    }

    @Test
    void thePromptIsCountedOnce() {
        GenerationEvent last = Objects.requireNonNull(
                engine.generate(request(200, seeded(1), 10, 3)).blockLast(SOON));
        assertThat(last).isInstanceOfSatisfying(GenerationEvent.Completed.class, completed -> {
            assertThat(completed.usage().promptTokens()).isEqualTo(200);
            assertThat(completed.usage().completionTokens()).isEqualTo(30);
        });
    }

    @Test
    void aGroupThatIsCancelledAnywhereLeavesNothing() {
        await().atMost(SOON).until(() -> engine.status().running() == 0);
        long live = Tensor.live();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 60; i++) {
            Disposable group = engine.generate(request(1 + random.nextInt(400), seeded(i), 60, 1 + random.nextInt(6)))
                    .subscribe(event -> {}, error -> {});
            if (random.nextInt(3) > 0) {
                sleep(random.nextInt(15));
            }
            group.dispose();
        }
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                engine.status().running() + engine.status().waiting())
                        .as("seed %d", seed)
                        .isZero());
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(Tensor.live()).as("seed %d", seed).isEqualTo(live));
        assertThat(ask(request(10, SamplingOptions.GREEDY, 5, 2))).hasSize(2);
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void moreChoicesThanCanEverWaitAreRefusedForGood() {
        int most = SchedulerConfig.DEFAULT.queueLimit() + SchedulerConfig.DEFAULT.maxBatchSize();
        assertThatThrownBy(() -> ask(request(10, SamplingOptions.GREEDY, 5, most + 1)))
                .isInstanceOfSatisfying(EngineException.InvalidRequest.class, refused -> {
                    assertThat(refused.parameter()).isEqualTo("n");
                    assertThat(refused).hasMessageContaining(String.valueOf(most));
                });
    }

    @Test
    void aPromptThatNestsTooDeepFailsAndTheEngineGoesOn() {
        Object nested = List.of();
        for (int depth = 0; depth < 200_000; depth++) {
            nested = List.of(nested);
        }
        Prompt.Chat plain = (Prompt.Chat) TestEngines.chat("hi");
        Prompt deep = new Prompt.Chat(plain.messages(), List.of(), Map.of("deep", nested));
        assertThatThrownBy(() -> engine.generate(TestEngines.greedy(deep, 3)).blockLast(SOON))
                .isInstanceOf(EngineException.Failed.class)
                .hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(TestEngines.ask(engine, TestEngines.greedy(plain, 3)).tokens())
                .hasSize(3);
    }
}
