package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.parse.DeclaredTools;
import dev.omlx.parse.OutputFormat;
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
import java.util.Map;
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
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** An engine loop over a {@link ScriptedRunner}, and short ways to ask it. */
final class ScriptedLoop implements AutoCloseable {
    static final String MODEL = "scripted";
    static final int PROMPT = 3;

    /** How many tokens find room. */
    static final int MEMORY = 1 << 24;

    static final Duration SOON = Duration.ofSeconds(10);
    private static final SamplingParameters ENDING_AT_Z =
            new SamplingParameters(0, 1, 0, 0, 1, 0, 0, 0, Map.of(), 0, Set.of((int) 'z'));
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
        loop = new EngineLoop(config, new Unlimited(), () -> {}, pool);
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
                    new Answer.Facts(id, MODEL, "prompt", prompt, System.nanoTime()),
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
                    new Answer.Facts(id, MODEL, "prompt", prompt, System.nanoTime()),
                    sink,
                    texts,
                    List.of(),
                    executor,
                    loop);
            List<Sequence> sequences = new ArrayList<>();
            for (int i = 0; i < choices; i++) {
                sequences.add(sequence(answer, id, i, prompt, tokens));
            }
            loop.submit(answer, sequences);
        });
    }

    /** An answer whose thoughts the prompt has begun, and that may think for that many tokens; null for any number. */
    Flux<GenerationEvent> askThinking(OutputFormat format, @Nullable Integer budget, int tokens) {
        String id = "t" + ids.incrementAndGet();
        String prompt = "<think>";
        return Flux.create(sink -> {
            Answer answer = new Answer(
                    new Answer.Facts(id, MODEL, "prompt", PROMPT, System.nanoTime()),
                    sink,
                    List.of(new AnswerText(0, tokenizer, format.parser(prompt, DeclaredTools.of(List.of())), WANTED)),
                    List.of(),
                    executor,
                    loop);
            ThinkingBudget thinking = budget == null
                    ? null
                    : new ThinkingBudget(budget, format.tracker(prompt), ThinkingBudget.Ends.of(format, tokenizer));
            loop.submit(answer, List.of(sequence(answer, id, 0, PROMPT, tokens, thinking)));
        });
    }

    private static Sequence sequence(Answer answer, String id, int choice, int prompt, int tokens) {
        return sequence(answer, id, choice, prompt, tokens, null);
    }

    private static Sequence sequence(
            Answer answer, String id, int choice, int prompt, int tokens, @Nullable ThinkingBudget thinking) {
        int[] ids = new int[prompt];
        Arrays.fill(ids, ScriptedRunner.PROMPT_TOKEN);
        return new Sequence(
                new SequenceSpec(id + "/" + choice, MODEL, Priority.NORMAL, System.nanoTime(), prompt, 0, tokens),
                new Generation(answer, choice, ids, ENDING_AT_Z, 0, false, thinking));
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
            return MEMORY;
        }

        @Override
        public long limit() {
            return MEMORY;
        }

        @Override
        public void shrinkCaches(long bytes) {}

        @Override
        public int claimPrefix(Sequence sequence) {
            return 0;
        }
    }
}
