package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.TestEngines.Answered;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.ffi.MlxException;
import dev.omlx.kv.tensor.SlotArena;
import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import dev.omlx.testsupport.TinyModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** One of eight answers breaks the steps it is in, through the real MLX; the other seven are what they are alone. */
class FaultIsolationIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int TOKENS = 40;

    @TempDir
    private static Path folder;

    private static final WatchedRunner.Hooks HOOKS = new WatchedRunner.Hooks();
    private static MlxInferenceEngine engine;
    private static @Nullable MlxModelRunner real;

    @BeforeAll
    static void start() {
        engine = TestEngines.start(TinyModel.in(folder), SchedulerConfig.DEFAULT, runner -> {
            real = (MlxModelRunner) runner;
            return new WatchedRunner(runner, HOOKS);
        });
    }

    @AfterAll
    static void stop() {
        engine.close();
    }

    @AfterEach
    void heal() {
        HOOKS.beforeLaunch = plan -> {};
        HOOKS.afterLaunch = plan -> {};
        HOOKS.beforeRead = plan -> {};
    }

    /** Greedy, seeded, with penalties, with a bias, all kinds of prompts. */
    private static List<GenerationRequest> requests() {
        List<GenerationRequest> requests = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            SamplingOptions sampling = switch (i % 4) {
                case 0 -> SamplingOptions.GREEDY;
                case 1 -> new SamplingOptions(1.0, null, null, null, null, null, null, (long) i, Map.of());
                case 2 -> new SamplingOptions(0.9, 0.9, 50, null, 1.3, 0.7, 0.5, (long) i, Map.of());
                default -> new SamplingOptions(0.0, null, null, null, 1.2, 1.0, 1.0, null, Map.of(70 + i, 1.5f));
            };
            requests.add(TestEngines.request(
                    TestEngines.chat("x".repeat(7 + 30 * i) + i), sampling, StopConditions.after(TOKENS)));
        }
        return requests;
    }

    private static void assertOthersAreUntouched(Consumer<GenerationRequest> breaking) {
        await().atMost(SOON).until(() -> engine.status().running() == 0);
        long live = Tensor.live();
        List<GenerationRequest> requests = requests();
        List<List<Integer>> alone = requests.stream()
                .map(request -> TestEngines.ask(engine, request).tokens())
                .toList();
        GenerationRequest bad = requests.get(3);
        breaking.accept(bad);
        List<Object> together = TestEngines.askTogether(
                engine, requests, answer -> answer.<Object>map(Answered::tokens).onErrorResume(Mono::just));
        for (int i = 0; i < requests.size(); i++) {
            Object got = together.get(i);
            if (requests.get(i).equals(bad)) {
                assertThat(got)
                        .isInstanceOfSatisfying(
                                EngineException.Failed.class,
                                failed -> assertThat(failed).rootCause().isInstanceOf(MlxException.class));
            } else {
                assertThat(got).as("request %d", i).isEqualTo(alone.get(i));
            }
        }
        await().atMost(SOON).until(() -> engine.status().running() == 0);
        await().atMost(SOON).untilAsserted(() -> assertThat(Tensor.live()).isEqualTo(live));
        assertThat(engine.status().phase()).isEqualTo(Phase.READY);
    }

    /** Whether the step works on the request past so many tokens of its answer. */
    private static boolean isIn(StepPlan plan, GenerationRequest request, int tokens) {
        return plan.work().stream().anyMatch(work -> {
            Sequence sequence = work.sequence();
            int last = work.startPosition() + work.tokenCount();
            return sequence.id().startsWith(request.id() + "/") && last >= sequence.promptTokens() + tokens;
        });
    }

    private static Consumer<StepPlan> breakAt(GenerationRequest request, int tokens) {
        return plan -> {
            if (isIn(plan, request, tokens)) {
                breakMlx();
            }
        };
    }

    /** MLX itself refuses. */
    private static void breakMlx() {
        try (TensorScope scope = TensorScope.open()) {
            Ops.add(Ops.zeros(DType.FLOAT32, 2), Ops.zeros(DType.FLOAT32, 3));
        }
    }

    @Test
    void whenAPromptBreaksTheStep() {
        assertOthersAreUntouched(bad -> HOOKS.beforeLaunch = breakAt(bad, 0));
    }

    @Test
    void whenAStepBreaksAfterItsGraphWasBuilt() {
        assertOthersAreUntouched(bad -> HOOKS.afterLaunch = breakAt(bad, 17));
    }

    @Test
    void whenAStepBreaksWhileItIsRead() {
        assertOthersAreUntouched(bad -> HOOKS.beforeRead = breakAt(bad, 17));
    }

    @Test
    void whenWhatSequencesShareIsLostInTheMiddle() {
        List<GenerationRequest> requests = IntStream.range(0, 20)
                .mapToObj(i -> TestEngines.request(
                        TestEngines.chat("x".repeat(5 + i) + i), SamplingOptions.GREEDY, StopConditions.after(TOKENS)))
                .toList();
        List<List<Integer>> alone = requests.stream()
                .map(request -> TestEngines.ask(engine, request).tokens())
                .toList();
        AtomicInteger large = new AtomicInteger();
        HOOKS.beforeLaunch = plan -> {
            if (plan.work().size() > SlotArena.SLOTS && large.incrementAndGet() % 5 == 0) {
                Objects.requireNonNull(real).loseArenas();
            }
        };
        List<Answered> together = TestEngines.askTogether(engine, requests);
        assertThat(large.get()).isGreaterThan(10);
        assertThat(together).extracting(Answered::tokens).isEqualTo(alone);
    }

    @Test
    void whenThePartOfOneSequenceCannotBeMade() {
        assertOthersAreUntouched(bad -> HOOKS.beforeLaunch = plan -> {
            if (isIn(plan, bad, 5)) {
                try {
                    breakMlx();
                } catch (MlxException e) {
                    plan.sequences().stream()
                            .filter(sequence -> sequence.id().startsWith(bad.id() + "/"))
                            .forEach(culprit -> {
                                throw new SequenceFault(culprit, e);
                            });
                }
            }
        });
    }
}
