package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.parse.OutputParser;
import dev.omlx.sampling.SamplingParameters;
import dev.omlx.sched.KvMemory;
import dev.omlx.sched.Priority;
import dev.omlx.sched.SchedulerConfig;
import dev.omlx.sched.SchedulerStats;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.SequenceSpec;
import dev.omlx.text.Tokenizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** An engine loop over a {@link ScriptedRunner}, and short ways to ask it. */
final class ScriptedLoop implements AutoCloseable {
    static final String MODEL = "scripted";
    static final int PROMPT = 3;
    static final Duration SOON = Duration.ofSeconds(10);
    private static final AnswerText.Wanted WANTED = new AnswerText.Wanted(List.of(), false, 0);

    final ScriptedRunner runner = new ScriptedRunner();
    final EngineLoop loop;
    private final Tokenizer tokenizer;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger ids = new AtomicInteger();

    ScriptedLoop(Tokenizer tokenizer) {
        this(tokenizer, SchedulerConfig.DEFAULT, Schedulers::newSingle);
    }

    ScriptedLoop(Tokenizer tokenizer, SchedulerConfig config, Function<ThreadFactory, Scheduler> pool) {
        this.tokenizer = tokenizer;
        loop = new EngineLoop(config, new Unlimited(), pool);
        loop.call(() -> {
                    loop.addRunner(MODEL, runner);
                    loop.ready();
                    return true;
                })
                .join();
    }

    Flux<GenerationEvent> ask(int tokens) {
        return ask("r" + ids.incrementAndGet(), PROMPT, tokens, tokenizer, executor);
    }

    Flux<GenerationEvent> ask(String id, int prompt, int tokens) {
        return ask(id, prompt, tokens, tokenizer, executor);
    }

    /** Log-probabilities are asked for, so that the tokenizer is asked for each token's bytes. */
    Flux<GenerationEvent> ask(String id, int prompt, int tokens, Tokenizer own, Executor delivery) {
        return Flux.create(sink -> {
            Answer answer = new Answer(
                    new Answer.Facts(id, MODEL, prompt, System.nanoTime()),
                    sink,
                    List.of(new AnswerText(0, own, OutputParser.plain(), WANTED)),
                    List.of(),
                    delivery,
                    loop);
            loop.submit(answer, List.of(sequence(answer, id, 0, prompt, tokens)));
        });
    }

    /** Choices of one request, each of that many tokens. */
    Flux<GenerationEvent> askForChoices(String id, int prompt, int tokens, int choices) {
        return Flux.create(sink -> {
            List<AnswerText> texts = new ArrayList<>();
            for (int i = 0; i < choices; i++) {
                texts.add(new AnswerText(i, tokenizer, OutputParser.plain(), WANTED));
            }
            Answer answer = new Answer(
                    new Answer.Facts(id, MODEL, prompt, System.nanoTime()), sink, texts, List.of(), executor, loop);
            List<Sequence> sequences = new ArrayList<>();
            for (int i = 0; i < choices; i++) {
                sequences.add(sequence(answer, id, i, prompt, tokens));
            }
            loop.submit(answer, sequences);
        });
    }

    private static Sequence sequence(Answer answer, String id, int choice, int prompt, int tokens) {
        int[] ids = new int[prompt];
        Arrays.fill(ids, ScriptedRunner.PROMPT_TOKEN);
        return new Sequence(
                new SequenceSpec(id + "/" + choice, MODEL, Priority.NORMAL, System.nanoTime(), prompt, 0, tokens),
                new Generation(answer, choice, ids, SamplingParameters.GREEDY, Set.of((int) 'z'), 0, false));
    }

    CompletableFuture<List<GenerationEvent>> start(int tokens) {
        return start(ask(tokens));
    }

    static CompletableFuture<List<GenerationEvent>> start(Flux<GenerationEvent> answer) {
        return answer.collectList()
                .toFuture()
                .thenApply(Objects::requireNonNull)
                .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    /** Nothing runs, waits or holds memory any more. */
    void assertIdle() {
        await().atMost(SOON).untilAsserted(() -> {
            SchedulerStats stats = Objects.requireNonNull(loop.stats());
            assertThat(stats.running() + stats.waiting() + stats.departing()).isZero();
            assertThat(stats.kvReservedBytes()).isZero();
            assertThat(loop.call(runner::caches).join()).isZero();
        });
    }

    static String textOf(List<GenerationEvent> events) {
        return textOf(events, -1);
    }

    /** @param choice -1 for all */
    static String textOf(List<GenerationEvent> events, int choice) {
        StringBuilder all = new StringBuilder();
        for (GenerationEvent event : events) {
            if (event instanceof GenerationEvent.Delta delta && (choice < 0 || choice == delta.choice())) {
                all.append(delta.text());
            }
        }
        return all.toString();
    }

    @Override
    public void close() {
        loop.close().orTimeout(10, TimeUnit.SECONDS).join();
        executor.close();
    }

    private static final class Unlimited implements KvMemory {
        @Override
        public long bytes(String model, int tokens) {
            return tokens;
        }

        @Override
        public long budget() {
            return 1 << 24;
        }

        @Override
        public long limit() {
            return 1 << 24;
        }

        @Override
        public void shrinkCaches(long bytes) {}

        @Override
        public int claimPrefix(Sequence sequence) {
            return 0;
        }
    }
}
