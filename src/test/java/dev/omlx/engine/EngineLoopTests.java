package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.sampling.SamplingParameters;
import dev.omlx.sched.KvMemory;
import dev.omlx.sched.Priority;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.sched.SchedulerStats;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.SequenceSpec;
import dev.omlx.sched.StepPlan;
import dev.omlx.testsupport.TinyModel;
import dev.omlx.text.ModelText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** The loop over a scripted model: whatever breaks, each request ends once, and the loop goes on if it can. */
class EngineLoopTests {
    private static final String MODEL = "scripted";
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    private static Path folder;

    private static ModelText text;

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final ScriptedRunner runner = new ScriptedRunner();
    private final AtomicInteger ids = new AtomicInteger();
    private EngineLoop loop;

    @BeforeAll
    static void read() {
        text = ModelText.of(TinyModel.in(folder));
    }

    @AfterAll
    static void closeText() {
        text.close();
    }

    @BeforeEach
    void start() {
        loop = new EngineLoop(SchedulerConfig.DEFAULT, new Unlimited());
        loop.call(() -> {
                    loop.addRunner(MODEL, runner);
                    loop.ready();
                    return true;
                })
                .join();
    }

    @AfterEach
    void close() {
        loop.close().orTimeout(10, TimeUnit.SECONDS).join();
        executor.close();
    }

    /** A model that says {@code abc…}, one letter a step, and whose faults are set by the test. */
    private static final class ScriptedRunner implements ModelRunner {
        private int letter = 'a';
        private final AtomicInteger launches = new AtomicInteger();
        private final AtomicInteger released = new AtomicInteger();
        volatile IntFunction<@Nullable RuntimeException> onLaunch = number -> null;
        volatile IntFunction<@Nullable RuntimeException> onRead = number -> null;
        volatile @Nullable RuntimeException onRelease;

        @Override
        public LaunchedStep launch(StepPlan plan) {
            int number = launches.incrementAndGet();
            RuntimeException fault = onLaunch.apply(number);
            if (fault != null) {
                throw fault;
            }
            int rows = (int)
                    plan.work().stream().filter(work -> work.producesToken()).count();
            int[] tokens = new int[rows];
            java.util.Arrays.fill(tokens, letter++);
            return new LaunchedStep() {
                @Override
                public boolean isReady() {
                    return number % 2 == 0;
                }

                @Override
                public Outcome read() {
                    RuntimeException late = onRead.apply(number);
                    if (late != null) {
                        throw late;
                    }
                    return new Outcome(tokens, null);
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void release(Sequence sequence) {
            released.incrementAndGet();
            RuntimeException fault = onRelease;
            if (fault != null) {
                throw fault;
            }
        }

        @Override
        public long kvBytes(int tokens) {
            return tokens;
        }

        @Override
        public void close() {}
    }

    private static final class Unlimited implements KvMemory {
        @Override
        public long bytes(String model, int tokens) {
            return tokens;
        }

        @Override
        public long budget() {
            return 1 << 20;
        }

        @Override
        public long limit() {
            return 1 << 20;
        }

        @Override
        public void shrinkCaches(long bytes) {}

        @Override
        public int claimPrefix(Sequence sequence) {
            return 0;
        }
    }

    private Flux<GenerationEvent> ask(int tokens) {
        String id = "r" + ids.incrementAndGet();
        return Flux.create(sink -> {
            Answer answer = new Answer(
                    new Answer.Facts(id, MODEL, 3, System.nanoTime()),
                    sink,
                    List.of(new AnswerText(text.tokenizer(), List.of(), -1)),
                    executor,
                    loop);
            Generation generation =
                    new Generation(answer, 0, new int[] {1, 2, 3}, SamplingParameters.GREEDY, Set.of((int) 'z'), -1);
            loop.submit(
                    answer,
                    List.of(new Sequence(
                            new SequenceSpec(id, MODEL, Priority.NORMAL, System.nanoTime(), 3, 0, tokens),
                            generation)));
        });
    }

    private CompletableFuture<List<GenerationEvent>> start(int tokens) {
        return ask(tokens)
                .collectList()
                .toFuture()
                .thenApply(Objects::requireNonNull)
                .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    private void assertIdle() {
        await().atMost(SOON).untilAsserted(() -> {
            SchedulerStats stats = Objects.requireNonNull(loop.stats());
            assertThat(stats.running() + stats.waiting()).isZero();
        });
    }

    private static String textOf(List<GenerationEvent> events) {
        StringBuilder all = new StringBuilder();
        for (GenerationEvent event : events) {
            if (event instanceof GenerationEvent.Delta delta) {
                all.append(delta.text());
            }
        }
        return all.toString();
    }

    @Test
    void anAnswerEndsAtItsLength() {
        List<GenerationEvent> events = start(5).join();
        assertThat(textOf(events)).isEqualTo("abcde");
        assertThat(events.get(events.size() - 2))
                .isEqualTo(new GenerationEvent.ChoiceFinished(0, FinishReason.LENGTH, null));
        assertIdle();
        assertThat(runner.released).hasValue(1);
    }

    @Test
    void anAnswerEndsAtAnEndTokenWhichIsNoPartOfIt() {
        List<GenerationEvent> events = start(100).join();
        assertThat(textOf(events)).isEqualTo("abcdefghijklmnopqrstuvwxy");
        assertThat(((GenerationEvent.Completed) events.getLast()).usage().completionTokens())
                .isEqualTo(25);
        assertThat(events.get(events.size() - 2))
                .isEqualTo(new GenerationEvent.ChoiceFinished(0, FinishReason.STOP, null));
    }

    @Test
    void aStepThatCannotBeBuiltFailsItsRequestsAndNoOthers() {
        runner.onLaunch = number -> number == 3 ? new IllegalStateException("planted") : null;
        assertFails(start(10));
        assertThat(textOf(start(3).join())).hasSize(3);
        assertIdle();
    }

    @Test
    void aStepThatBreaksWhenItIsReadFailsItsRequestsAndNoOthers() {
        runner.onRead = number -> number == 4 ? new IllegalStateException("planted") : null;
        assertFails(start(10));
        assertThat(textOf(start(3).join())).hasSize(3);
        assertIdle();
    }

    private static void assertFails(CompletableFuture<List<GenerationEvent>> answer) {
        assertThatThrownBy(answer::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(EngineException.Failed.class);
    }

    @Test
    void aBrokenLoopFailsEverythingAtOnceAndSaysSo() {
        runner.letter = 0x100;
        CompletableFuture<List<GenerationEvent>> running = start(100_000);
        await().atMost(SOON).until(() -> runner.launches.get() > 10);
        runner.onRelease = new IllegalStateException("planted");
        start(2);
        assertFails(running);
        await().atMost(SOON).until(() -> loop.phase() == Phase.FAILED);
        assertThat(loop.failure()).isEqualTo("planted");
        assertThatThrownBy(start(1)::join).hasCauseInstanceOf(EngineException.Unavailable.class);
    }

    @Test
    void aCancelledAnswerIsReleasedWithinAStep() {
        runner.letter = 0x100;
        var subscription = ask(100_000).subscribe();
        await().atMost(SOON).until(() -> runner.launches.get() > 10);
        subscription.dispose();
        await().atMost(SOON).until(() -> runner.released.get() == 1);
        assertIdle();
    }

    @Test
    void aSubscriberThatAsksForLittleGetsAllInTheEnd() {
        Flux<GenerationEvent> slow = ask(20).limitRate(1).delayElements(Duration.ofMillis(5));
        assertThat(textOf(Objects.requireNonNull(slow.collectList().block(SOON))))
                .isEqualTo("abcdefghijklmnopqrst");
    }

    @Test
    void theIdleLoopStillShowsThatItLives() {
        start(1).join();
        await().pollDelay(Duration.ofMillis(700))
                .atMost(SOON)
                .until(() -> loop.sinceHeartbeat().compareTo(Duration.ofMillis(500)) < 0);
    }
}
