package dev.omlx.engine;

import static dev.omlx.engine.ScriptedLoop.start;
import static dev.omlx.engine.ScriptedLoop.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import dev.omlx.sched.Work;
import dev.omlx.testsupport.TinyModel;
import dev.omlx.text.ModelText;
import dev.omlx.text.Tokenizer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** A fault ends the request that it concerns, with one error; the others never notice. */
class FaultIsolationTests {
    private static final int LENGTH = 20;
    private static final String WHOLE = "abcdefghijklmnopqrst";

    @TempDir
    private static Path folder;

    private static ModelText text;

    private ScriptedLoop scripted;
    private ScriptedRunner runner;

    /** Where a request breaks. */
    enum Stage {
        /** Its part of the step cannot be made. */
        PREPARE,
        LAUNCH,
        READ,
        /** The step gives fewer tokens than it has rows. */
        ROWS,
        DETOKENISE,
        SUBSCRIBER
    }

    /** A request's fault, at that position of its sequence. */
    private record Poison(Stage stage, int position) {
        boolean isIn(Work work) {
            return work.startPosition() <= position && position < work.startPosition() + work.tokenCount();
        }
    }

    private final Map<String, Poison> poisons = new ConcurrentHashMap<>();

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
        runner.onLaunch = (number, plan) -> {
            Sequence culprit = poisoned(plan, Stage.PREPARE);
            if (culprit != null) {
                return new SequenceFault(culprit, new IllegalArgumentException("planted"));
            }
            return poisoned(plan, Stage.LAUNCH) == null ? null : new IllegalStateException("planted");
        };
        runner.onRead =
                (number, plan) -> poisoned(plan, Stage.READ) == null ? null : new IllegalStateException("planted");
        runner.missingRows = (number, plan) -> poisoned(plan, Stage.ROWS) == null ? 0 : 1;
    }

    @AfterEach
    void close() {
        scripted.close();
    }

    private @Nullable Sequence poisoned(StepPlan plan, Stage stage) {
        for (Work work : plan.work()) {
            Poison poison = poisons.get(work.sequence().id());
            boolean counts = stage != Stage.ROWS || work.producesToken();
            if (poison != null && poison.stage == stage && counts && poison.isIn(work)) {
                return work.sequence();
            }
        }
        return null;
    }

    private void poison(String request, Stage stage, int position) {
        poisons.put(request + "/0", new Poison(stage, position));
    }

    /** The answer of a request, with its poison if it has one. */
    private Flux<GenerationEvent> ask(String id, int prompt, int tokens) {
        Poison poison = poisons.get(id + "/0");
        if (poison == null) {
            return scripted.ask(id, prompt, tokens);
        }
        int letters = poison.position - prompt + 1;
        return switch (poison.stage) {
            case PREPARE, LAUNCH, READ, ROWS -> scripted.ask(id, prompt, tokens);
            case DETOKENISE ->
                scripted.ask(id, prompt, tokens, breaking(letters, StackOverflowError::new), Runnable::run);
            case SUBSCRIBER -> throwingAfter(scripted.ask(id, prompt, tokens), letters);
        };
    }

    @ParameterizedTest
    @EnumSource(Stage.class)
    void whateverBreaksEndsItsRequestAlone(Stage stage) {
        for (int position : new int[] {ScriptedLoop.PROMPT - 1, ScriptedLoop.PROMPT, ScriptedLoop.PROMPT + 7}) {
            String bad = stage + "-" + position;
            poison(bad, stage, position);
            List<CompletableFuture<List<GenerationEvent>>> good = new ArrayList<>();
            good.add(scripted.start(LENGTH));
            CompletableFuture<List<GenerationEvent>> broken = start(ask(bad, ScriptedLoop.PROMPT, LENGTH));
            for (int i = 0; i < 6; i++) {
                good.add(scripted.start(LENGTH));
            }
            assertFails(broken);
            assertThat(good)
                    .allSatisfy(answer -> assertThat(textOf(answer.join())).isEqualTo(WHOLE));
            scripted.assertIdle();
        }
        assertThat(scripted.loop.phase()).isEqualTo(Phase.READY);
    }

    private static void assertFails(CompletableFuture<List<GenerationEvent>> answer) {
        assertThatThrownBy(answer::join).hasCauseInstanceOf(EngineException.Failed.class);
    }

    @Test
    void whatWasDeliveredBeforeTheFaultStaysDelivered() {
        poison("bad", Stage.READ, ScriptedLoop.PROMPT + 4);
        List<GenerationEvent> events = new ArrayList<>();
        CompletableFuture<List<GenerationEvent>> good = scripted.start(LENGTH);
        assertFails(start(ask("bad", ScriptedLoop.PROMPT, LENGTH).doOnNext(events::add)));
        assertThat(textOf(events)).isEqualTo("abcde");
        assertThat(textOf(good.join())).isEqualTo(WHOLE);
    }

    @Test
    void allChoicesOfARequestEndWithOneError() {
        poisons.put("three/1", new Poison(Stage.PREPARE, ScriptedLoop.PROMPT + 2));
        CompletableFuture<List<GenerationEvent>> good = scripted.start(LENGTH);
        assertFails(start(scripted.askForChoices("three", ScriptedLoop.PROMPT, LENGTH, 3)));
        assertThat(textOf(good.join())).isEqualTo(WHOLE);
        scripted.assertIdle();
    }

    @Test
    void aDeviceThatAlwaysFailsFailsEachRequestOnce() {
        runner.onRead = (number, plan) -> new IllegalStateException("planted");
        List<CompletableFuture<List<GenerationEvent>>> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            answers.add(scripted.start(LENGTH));
        }
        answers.forEach(FaultIsolationTests::assertFails);
        scripted.assertIdle();
        runner.onRead = (number, plan) -> null;
        assertThat(textOf(scripted.start(LENGTH).join())).isEqualTo(WHOLE);
    }

    @Test
    void errorsInTheTextEndTheAnswerWhateverTheirKind() {
        List<Supplier<Throwable>> faults = List.of(
                StackOverflowError::new,
                () -> new OutOfMemoryError("planted"),
                () -> new NoClassDefFoundError("planted"),
                () -> new IllegalStateException("planted"));
        for (Supplier<Throwable> fault : faults) {
            CompletableFuture<List<GenerationEvent>> good = scripted.start(LENGTH);
            assertFails(start(scripted.ask("bad", 3, 100_000, breaking(3, fault), Runnable::run)));
            assertThat(textOf(good.join())).isEqualTo(WHOLE);
            scripted.assertIdle();
        }
    }

    @Test
    void anExecutorThatRefusesToDeliverEndsTheAnswerAlone() {
        AtomicInteger tasks = new AtomicInteger();
        CompletableFuture<List<GenerationEvent>> good = scripted.start(LENGTH);
        assertFails(start(scripted.ask("bad", 3, LENGTH, text.tokenizer(), task -> {
            if (tasks.incrementAndGet() > 4) {
                throw new RejectedExecutionException("planted");
            }
            task.run();
        })));
        assertThat(textOf(good.join())).isEqualTo(WHOLE);
        scripted.assertIdle();
        assertThat(scripted.loop.phase()).isEqualTo(Phase.READY);
    }

    @Test
    void aSubscriberThatThrowsCountsAsGone() throws InterruptedException {
        runner.firstLetter = 0x100;
        CountDownLatch thrown = new CountDownLatch(1);
        scripted.ask(100_000).subscribe(new CoreSubscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(GenerationEvent event) {
                thrown.countDown();
                throw new IllegalStateException("planted");
            }

            @Override
            public void onError(Throwable error) {
                throw new IllegalStateException("planted too");
            }

            @Override
            public void onComplete() {}
        });
        assertThat(thrown.await(10, TimeUnit.SECONDS)).isTrue();
        scripted.assertIdle();
    }

    /** A tokenizer that breaks at its nth token. */
    private static Tokenizer breaking(int letters, Supplier<Throwable> fault) {
        AtomicInteger asked = new AtomicInteger();
        return (Tokenizer) Proxy.newProxyInstance(
                Tokenizer.class.getClassLoader(), new Class<?>[] {Tokenizer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("tokenBytes") && asked.incrementAndGet() >= letters) {
                        throw fault.get();
                    }
                    try {
                        return method.invoke(text.tokenizer(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Somebody between us and the client throws once the text has that many letters. */
    private static Flux<GenerationEvent> throwingAfter(Flux<GenerationEvent> answer, int letters) {
        AtomicInteger seen = new AtomicInteger();
        return answer.doOnNext(event -> {
            if (seen.addAndGet(textOf(List.of(event)).length()) >= letters) {
                throw new EngineException.Failed("planted", null);
            }
        });
    }

    @Test
    void thousandsOfStepsWithFaultsInRandomPlaces() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Random transients = new Random(seed + 1);
        var onRead = runner.onRead;
        // now and then a batch fails for nobody's fault
        runner.onRead = (number, plan) -> plan.work().size() > 1 && transients.nextInt(100) == 0
                ? new IllegalStateException("planted")
                : onRead.apply(number, plan);
        int number = 0;
        while (runner.launches.get() < 5000) {
            runner.queuesSteps = random.nextBoolean();
            List<Asked> asked = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                asked.add(askAtRandom("q" + number++, random));
            }
            List<CompletableFuture<List<GenerationEvent>>> groups = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                groups.add(start(scripted.askForChoices("g" + number++, 1 + random.nextInt(50), LENGTH, 3)));
            }
            asked.forEach(request -> request.check(seed));
            assertThat(groups).as("seed %d", seed).allSatisfy(group -> {
                for (int choice = 0; choice < 3; choice++) {
                    assertThat(textOf(group.join(), choice)).isEqualTo(WHOLE);
                }
            });
        }
        scripted.assertIdle();
        assertThat(scripted.loop.phase()).isEqualTo(Phase.READY);
    }

    private Asked askAtRandom(String id, Random random) {
        int prompt = 1 + random.nextInt(50);
        int tokens = 1 + random.nextInt(LENGTH);
        Stage[] stages = Stage.values();
        boolean bad = random.nextInt(5) == 0;
        if (bad) {
            Stage stage = stages[random.nextInt(stages.length)];
            boolean early = stage == Stage.PREPARE || stage == Stage.LAUNCH || stage == Stage.READ;
            int position = early ? random.nextInt(prompt + tokens - 1) : prompt - 1 + random.nextInt(tokens);
            // the last token of all is delivered and never computed
            poison(id, stage, stage == Stage.ROWS ? Math.min(position, prompt + tokens - 2) : position);
        }
        Asked asked = new Asked(id, bad, tokens, new ArrayList<>(), new AtomicInteger(), new AtomicInteger());
        Flux<GenerationEvent> answer = ask(id, prompt, tokens)
                .doOnNext(asked.events::add)
                .doOnError(error -> asked.errors.incrementAndGet())
                .doOnComplete(asked.completions::incrementAndGet);
        asked.end = start(answer);
        return asked;
    }

    private static final class Asked {
        private final String id;
        private final boolean bad;
        private final int tokens;
        private final List<GenerationEvent> events;
        private final AtomicInteger errors;
        private final AtomicInteger completions;
        private @Nullable CompletableFuture<List<GenerationEvent>> end;

        Asked(
                String id,
                boolean bad,
                int tokens,
                List<GenerationEvent> events,
                AtomicInteger errors,
                AtomicInteger completions) {
            this.id = id;
            this.bad = bad;
            this.tokens = tokens;
            this.events = events;
            this.errors = errors;
            this.completions = completions;
        }

        void check(long seed) {
            Objects.requireNonNull(end).handle((whole, error) -> 0).join();
            String name = "request " + id + ", seed " + seed;
            assertThat(errors.get()).as(name).isEqualTo(bad ? 1 : 0);
            assertThat(completions.get()).as(name).isEqualTo(bad ? 0 : 1);
            if (!bad) {
                assertThat(textOf(events)).as(name).isEqualTo(WHOLE.substring(0, tokens));
            } else {
                assertThat(WHOLE).as(name).startsWith(textOf(events));
            }
        }
    }
}
