package dev.omlx.engine;

import static dev.omlx.engine.ScriptedLoop.SOON;
import static dev.omlx.engine.ScriptedLoop.start;
import static dev.omlx.engine.ScriptedLoop.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.engine.api.FinishReason;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.testsupport.TinyModel;
import dev.omlx.text.ModelText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The loop over a scripted model: requests from their start to their end, and the loop's own. */
class EngineLoopTests {
    @TempDir
    private static Path folder;

    private static ModelText text;

    private ScriptedLoop scripted;
    private ScriptedRunner runner;
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
    void open() {
        scripted = new ScriptedLoop(text.tokenizer());
        runner = scripted.runner;
        loop = scripted.loop;
    }

    @AfterEach
    void close() {
        scripted.close();
    }

    @Test
    void namesTheFieldOfAPromptThatNeverFindsRoom() {
        assertThatThrownBy(() -> scripted.ask("r", ScriptedLoop.MEMORY + 1, 1).blockLast())
                .isInstanceOfSatisfying(
                        EngineException.InvalidRequest.class,
                        refused -> assertThat(refused.parameter()).isEqualTo("prompt"));
    }

    @Test
    void anAnswerEndsAtItsLength() {
        List<GenerationEvent> events = scripted.start(5).join();
        assertThat(textOf(events)).isEqualTo("abcde");
        assertThat(events.get(events.size() - 2))
                .isEqualTo(new GenerationEvent.ChoiceFinished(0, FinishReason.LENGTH, null));
        scripted.assertIdle();
        assertThat(runner.released).hasValue(1);
    }

    /** As on the CPU, where most of a step is over once it is started: that is what it costs. */
    @Test
    void aLongPromptIsReadInSmallPartsWhereStartingAStepTakesTheTime() {
        AtomicInteger largest = new AtomicInteger();
        runner.queuesSteps = false;
        runner.onStart = plan -> {
            if (plan.shape().decodeRows() > 0) {
                largest.accumulateAndGet(plan.shape().prefillTokens(), Math::max);
            }
            LockSupport.parkNanos(20_000_000 + 500_000L * plan.shape().prefillTokens());
        };
        CompletableFuture<List<GenerationEvent>> running = scripted.start(20);
        await().atMost(SOON).until(() -> runner.launches.get() > 3);
        CompletableFuture<List<GenerationEvent>> reading = start(scripted.ask("long", 1000, 1));
        running.join();
        reading.join();
        assertThat(largest.get()).isBetween(8, 200);
    }

    @Test
    void anAnswerEndsAtAnEndTokenWhichIsNoPartOfIt() {
        List<GenerationEvent> events = scripted.start(100).join();
        assertThat(textOf(events)).isEqualTo("abcdefghijklmnopqrstuvwxy");
        assertThat(((GenerationEvent.Completed) events.getLast()).usage().completionTokens())
                .isEqualTo(25);
        assertThat(events.get(events.size() - 2))
                .isEqualTo(new GenerationEvent.ChoiceFinished(0, FinishReason.STOP, null));
    }

    @Test
    void aCancelledAnswerIsReleasedWithinAStep() {
        runner.firstLetter = 0x100;
        var subscription = scripted.ask(100_000).subscribe();
        await().atMost(SOON).until(() -> runner.launches.get() > 10);
        subscription.dispose();
        await().atMost(SOON).until(() -> runner.released.get() == 1);
        scripted.assertIdle();
    }

    @Test
    void aSubscriberThatAsksForLittleGetsAllInTheEnd() {
        Flux<GenerationEvent> slow = scripted.ask(20).limitRate(1).delayElements(Duration.ofMillis(5));
        assertThat(textOf(Objects.requireNonNull(slow.collectList().block(SOON))))
                .isEqualTo("abcdefghijklmnopqrst");
    }

    @Test
    void theIdleLoopStillShowsThatItLives() {
        scripted.start(1).join();
        await().pollDelay(Duration.ofMillis(700))
                .atMost(SOON)
                .until(() -> loop.sinceHeartbeat().compareTo(Duration.ofMillis(500)) < 0);
    }

    @Test
    void aFullQueueSaysSoAndWhenToComeBack() {
        SchedulerConfig d = SchedulerConfig.DEFAULT;
        SchedulerConfig narrow = new SchedulerConfig(
                1,
                d.prefillChunkSize(),
                d.minPrefillTokens(),
                d.decodeLatencyTarget(),
                d.maxDecodeSlowdown(),
                d.minPrefillShare(),
                d.maxStepTime(),
                2,
                d.priorityHeadStart(),
                d.kvGrowthTokens());
        try (ScriptedLoop small = new ScriptedLoop(text.tokenizer(), narrow, Schedulers::newSingle)) {
            assertThatThrownBy(start(small.askForChoices("four", 3, 5, 4))::join)
                    .cause()
                    .isInstanceOfSatisfying(EngineException.Overloaded.class, full -> {
                        assertThat(full).hasMessage("too many requests are waiting already");
                        assertThat(full.retryAfter()).isPositive();
                    });
            assertThat(start(small.askForChoices("three", 3, 5, 3)).join()).isNotEmpty();
            small.assertIdle();
        }
    }

    @Test
    void choicesComputeTheirPromptOnce() {
        List<GenerationEvent> events =
                start(scripted.askForChoices("four", 500, 10, 4)).join();
        assertThat(textOf(events)).hasSize(40);
        scripted.assertIdle();
        assertThat(runner.computedTokens).hasValue(500 + 3 + 4 * 9);
        assertThat(runner.released).hasValue(4);
    }

    @Test
    void commandsShowInTheCountsBeforeTheStepIsOver() throws InterruptedException {
        CountDownLatch launched = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        runner.onLaunch = (number, plan) -> {
            launched.countDown();
            waitFor(goOn);
            return null;
        };
        CompletableFuture<List<GenerationEvent>> answer = scripted.start(3);
        assertThat(launched.await(10, TimeUnit.SECONDS)).isTrue();

        assertThat(Objects.requireNonNull(loop.stats()).waiting()).isEqualTo(1);
        goOn.countDown();
        assertThat(textOf(answer.join())).isEqualTo("abc");
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aBrokenLoopFailsEverythingAtOnceAndSaysSo() {
        runner.firstLetter = 0x100;
        CompletableFuture<List<GenerationEvent>> running = scripted.start(100_000);
        await().atMost(SOON).until(() -> runner.launches.get() > 10);
        runner.onRelease = new IllegalStateException("planted");
        CompletableFuture<List<GenerationEvent>> brief = scripted.start(2);
        assertEngineFailed(running);
        await().atMost(SOON).until(brief::isDone);
        assertThat(loop.failure()).isEqualTo("planted");
    }

    @Test
    void anErrorThatEscapesATurnFailsEverythingAtOnce() {
        runner.firstLetter = 0x100;
        List<CompletableFuture<List<GenerationEvent>>> running =
                List.of(scripted.start(100_000), scripted.start(100_000));
        await().atMost(SOON).until(() -> runner.launches.get() > 10);
        runner.onLaunch = (number, plan) -> {
            throw new NoClassDefFoundError("planted");
        };
        running.forEach(this::assertEngineFailed);
        assertThat(loop.stats()).isNull();
    }

    @Test
    void aThreadThatIsKilledFailsEverythingAtOnce() {
        scripted.close();
        List<Scheduler> pools = new ArrayList<>();
        scripted = new ScriptedLoop(text.tokenizer(), SchedulerConfig.DEFAULT, threads -> {
            pools.add(Schedulers.newSingle(threads));
            return pools.getFirst();
        });
        loop = scripted.loop;
        scripted.runner.firstLetter = 0x100;
        CompletableFuture<List<GenerationEvent>> running = scripted.start(100_000);
        await().atMost(SOON).until(() -> scripted.runner.launches.get() > 10);
        pools.getFirst().dispose();
        assertEngineFailed(running);
        assertThat(loop.failure()).isEqualTo("the engine thread has ended");
        assertThatThrownBy(loop.call(() -> 1)::join).hasCauseInstanceOf(EngineException.Unavailable.class);
    }

    private void assertEngineFailed(CompletableFuture<List<GenerationEvent>> running) {
        assertThatThrownBy(running::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(EngineException.Failed.class);
        await().atMost(SOON).until(() -> loop.phase() == Phase.FAILED);
        assertThatThrownBy(scripted.start(1)::join).hasCauseInstanceOf(EngineException.Unavailable.class);
    }

    @Test
    void aDrainIsOverWhenTheLastRequestIsAndASecondOneCanEndIt() {
        runner.firstLetter = 0x100;
        CompletableFuture<List<GenerationEvent>> running = scripted.start(100_000);
        await().atMost(SOON).until(() -> runner.launches.get() > 10);
        CompletableFuture<Void> drained = loop.drain(Duration.ofMinutes(1));
        assertThatThrownBy(scripted.start(1)::join).hasCauseInstanceOf(EngineException.Unavailable.class);
        assertThat(drained).isNotDone();
        assertThat(running).isNotDone();

        loop.drain(Duration.ZERO).orTimeout(10, TimeUnit.SECONDS).join();

        assertThat(drained).isDone();
        assertThatThrownBy(running::join).hasCauseInstanceOf(EngineException.Unavailable.class);
        loop.close().orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void aDrainOfNothingIsOverAtOnce() {
        loop.drain(Duration.ofMinutes(1)).orTimeout(10, TimeUnit.SECONDS).join();
        loop.close().orTimeout(10, TimeUnit.SECONDS).join();
    }

    @Test
    void closingTwiceIsClosingOnce() {
        runner.firstLetter = 0x100;
        CompletableFuture<List<GenerationEvent>> running = scripted.start(100_000);
        await().atMost(SOON).until(() -> runner.launches.get() > 10);
        CompletableFuture<Void> first = loop.close();
        loop.close().orTimeout(10, TimeUnit.SECONDS).join();
        first.orTimeout(10, TimeUnit.SECONDS).join();

        assertThat(loop.phase()).isEqualTo(Phase.STOPPED);
        assertThatThrownBy(running::join).hasCauseInstanceOf(EngineException.Unavailable.class);
        assertThatThrownBy(scripted.start(1)::join).hasCauseInstanceOf(EngineException.Unavailable.class);
        loop.drain(Duration.ZERO).orTimeout(10, TimeUnit.SECONDS).join();
    }
}
