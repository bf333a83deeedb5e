package dev.omlx.engine;

import dev.omlx.sampling.RowLogprobs;
import dev.omlx.sched.Sequence;
import dev.omlx.sched.StepPlan;
import dev.omlx.sched.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A model that says {@code abc…}, one letter a position of the answer, unless it is made to say something else, and whose
 * faults are set by the test. It keeps a
 * cache of tokens for each sequence, as a real one keeps keys and values, and breaks if that ever holds the wrong ones.
 */
final class ScriptedRunner implements ModelRunner {
    static final int PROMPT_TOKEN = 1;

    volatile boolean queuesSteps = true;
    volatile int firstLetter = 'a';
    final AtomicInteger launches = new AtomicInteger();
    final AtomicInteger computedTokens = new AtomicInteger();
    final AtomicInteger released = new AtomicInteger();
    private final Map<Sequence, List<Integer>> caches = new HashMap<>();
    /** By their position, what tokens must be that are not the model's own. */
    private final Map<Sequence, Map<Integer, Integer>> forced = new HashMap<>();

    /** What launching step number n throws, if anything; likewise reading and releasing. */
    volatile BiFunction<Integer, StepPlan, @Nullable RuntimeException> onLaunch = (number, plan) -> null;

    volatile BiFunction<Integer, StepPlan, @Nullable RuntimeException> onRead = (number, plan) -> null;
    /** What else starting a step does, such as taking its time. */
    volatile Consumer<StepPlan> onStart = plan -> {};

    volatile BiFunction<Integer, StepPlan, Integer> missingRows = (number, plan) -> 0;
    volatile @Nullable RuntimeException onRelease;

    @Override
    public boolean queuesSteps() {
        return queuesSteps;
    }

    @Override
    public BuiltStep build(StepPlan plan) {
        int number = launches.incrementAndGet();
        RuntimeException fault = onLaunch.apply(number, plan);
        if (fault instanceof SequenceFault) {
            throw fault;
        }
        plan.work().forEach(this::compute);
        if (fault != null) {
            throw fault;
        }
        int rows = (int) plan.work().stream().filter(Work::producesToken).count();
        int[] tokens = new int[rows - missingRows.apply(number, plan)];
        int row = 0;
        for (Work work : plan.work()) {
            if (work.producesToken() && row < tokens.length) {
                tokens[row++] = choose(work.sequence(), work.startPosition() + work.tokenCount());
            }
        }
        return new Step(number, plan, tokens);
    }

    private void compute(Work work) {
        if (work.source() != null) {
            List<Integer> source = Objects.requireNonNull(caches.get(work.source()));
            caches.put(work.sequence(), new ArrayList<>(source.subList(0, work.startPosition())));
        }
        List<Integer> cache = caches.computeIfAbsent(work.sequence(), sequence -> new ArrayList<>());
        require(cache.size() == work.startPosition(), "a cache of " + cache.size() + " tokens", work);
        Generation generation = work.sequence().attachment(Generation.class);
        for (int i = 0; i < work.tokenCount(); i++) {
            int position = work.startPosition() + i;
            boolean known = position < work.sequence().knownTokens();
            int token = known ? generation.token(position) : expected(work.sequence(), position);
            require(token == expected(work.sequence(), position), "token " + token + " at " + position, work);
            cache.add(token);
        }
        computedTokens.addAndGet(work.tokenCount());
    }

    private int choose(Sequence sequence, int position) {
        int token = sequence.attachment(Generation.class).forcedToken();
        if (token >= 0) {
            forced.computeIfAbsent(sequence, any -> new HashMap<>()).put(position, token);
        }
        return expected(sequence, position);
    }

    private int expected(Sequence sequence, int position) {
        int own = position < sequence.promptTokens() ? PROMPT_TOKEN : firstLetter + position - sequence.promptTokens();
        return forced.getOrDefault(sequence, Map.of()).getOrDefault(position, own);
    }

    private static void require(boolean holds, String what, Work work) {
        if (!holds) {
            throw new AssertionError(what + ": " + work);
        }
    }

    private final class Step implements BuiltStep {
        private final int number;
        private final StepPlan plan;
        private final int[] tokens;

        Step(int number, StepPlan plan, int[] tokens) {
            this.number = number;
            this.plan = plan;
            this.tokens = tokens;
        }

        @Override
        public void start() {
            onStart.accept(plan);
        }

        @Override
        public boolean isReady() {
            return number % 2 == 0;
        }

        @Override
        public Outcome read() {
            RuntimeException fault = onRead.apply(number, plan);
            if (fault != null) {
                throw fault;
            }
            List<RowLogprobs> logprobs = new ArrayList<>();
            for (int token : tokens) {
                logprobs.add(new RowLogprobs(-token, List.of()));
            }
            return new Outcome(tokens, logprobs);
        }

        @Override
        public void close() {}
    }

    /** Sequences that hold a cache. */
    int caches() {
        return caches.size();
    }

    @Override
    public void release(Sequence sequence) {
        released.incrementAndGet();
        caches.remove(sequence);
        if (sequence.finished()) {
            forced.remove(sequence);
        }
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
