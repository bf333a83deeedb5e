import dev.omlx.engine.EngineSettings;
import dev.omlx.engine.MlxInferenceEngine;
import dev.omlx.engine.ModelLocation;
import dev.omlx.engine.SamplingDefaults;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.OutputOptions;
import dev.omlx.engine.api.Prompt;
import dev.omlx.engine.api.SamplingOptions;
import dev.omlx.engine.api.StopConditions;
import dev.omlx.ffi.NativeSearch;
import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.kv.tensor.SlotArenas;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.model.LanguageModel;
import dev.omlx.model.ModelLoader;
import dev.omlx.model.Precision;
import dev.omlx.nn.RaggedBatch;
import dev.omlx.sched.SchedulerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;

/**
 * What a decode step of the engine costs more than the bare call of the model, greedy argmax included, with as many
 * rows at the same context. Both take turns; medians of the rounds. Run it with the executable jar as the class path.
 */
final class StepOverhead {
    /** Counting, so that each token of the answer has text, and so a delta; short, so that all rows soon decode. */
    private static final String TEXT = "1, 2, 3, ";
    /** About how many tokens that is. */
    private static final int PROMPT = 10;

    private static final int STEPS = 128;
    /** Tokens of an answer: more than the steps that pass until the last row decodes. */
    private static final int ANSWER = 192;
    /** Nanoseconds before each measurement, for the JVM to compile both sides. */
    private static final long WARM_UP = 8_000_000_000L;
    private static final int[] ROWS = {1, 4, 8, 16, 32};

    public static void main(String[] args) {
        Path path = Path.of(args[0]);
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        NativeSearch library = new NativeSearch(null, Path.of(""), Path.of("target", "native"));
        EngineSettings settings = new EngineSettings(new ModelLocation("model", path), library, Precision::auto, null,
                16L << 30, SchedulerConfig.DEFAULT, SamplingDefaults.PLAIN, UnaryOperator.identity());
        try (MlxInferenceEngine engine = new MlxInferenceEngine(settings)) {
            engine.start();
            try (ModelLoader files = ModelLoader.open(path);
                    LanguageModel model = files.load(Precision.auto(Mlx.device()))) {
                compare(engine, model, rounds);
            }
        }
    }

    private static void compare(MlxInferenceEngine engine, LanguageModel model, int rounds) {
        System.out.println("| rows | bare ms | engine ms | difference ms | of the step |\n|---:|---:|---:|---:|---:|");
        for (int rows : ROWS) {
            double[] bare = new double[rounds];
            double[] whole = new double[rounds];
            for (long end = System.nanoTime() + WARM_UP; System.nanoTime() < end; ) {
                bare(model, rows, engine(engine, rows).context());
            }
            for (int round = 0; round < rounds; round++) {
                Decoded decoded = engine(engine, rows);
                whole[round] = decoded.millis();
                bare[round] = bare(model, rows, decoded.context());
            }
            double less = median(bare);
            double more = median(whole);
            System.out.printf(Locale.ROOT, "| %d | %.2f | %.2f | %.2f | %.1f %% |%n", rows, less, more, more - less,
                    100 * (more - less) / more);
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /**
     * What the engine did while all rows decoded.
     *
     * @param millis a step
     * @param context positions of a row, on average
     */
    private record Decoded(double millis, int context) {}

    /** Milliseconds a step, with that many positions of a row in the middle of the steps. */
    private static double bare(LanguageModel model, int rows, int context) {
        List<SequenceCache> caches = IntStream.range(0, rows).mapToObj(row -> model.newCache()).toList();
        try {
            int[] tokens = new int[rows];
            int begin = Math.max(1, context - STEPS / 2);
            SlotArenas arenas = new SlotArenas();
            for (int row = 0; row < rows; row++) {
                tokens[row] = prefill(model, caches.get(row), row, begin);
            }
            long start = System.nanoTime();
            for (int step = 0; step < STEPS; step++) {
                tokens = step(model, arenas, caches, tokens, begin + step);
            }
            return (System.nanoTime() - start) / 1e6 / STEPS;
        } finally {
            caches.forEach(SequenceCache::close);
        }
    }

    private static int prefill(LanguageModel model, SequenceCache cache, int row, int length) {
        int[] prompt = IntStream.range(0, length).map(i -> 3 + (row * 7 + i * 13) % 200).toArray();
        try (TensorScope scope = TensorScope.open()) {
            Tensor positions = Ops.arange(0, prompt.length);
            Tensor hidden = model.hidden(new RaggedBatch(Tensor.of(prompt, prompt.length), positions,
                    List.of(new RaggedBatch.Segment(0, prompt.length, cache))));
            return Ops.argmax(model.logits(Ops.slice(hidden, 0, prompt.length - 1, prompt.length))).toInts()[0];
        }
    }

    private static int[] step(
            LanguageModel model, SlotArenas arenas, List<SequenceCache> caches, int[] tokens, int position) {
        try (TensorScope scope = TensorScope.open()) {
            List<RaggedBatch.Segment> segments = new ArrayList<>();
            int[] positions = new int[tokens.length];
            for (int row = 0; row < tokens.length; row++) {
                segments.add(new RaggedBatch.Segment(row, 1, caches.get(row)));
                positions[row] = position;
            }
            RaggedBatch batch = RaggedBatch.arranged(
                    Tensor.of(tokens, tokens.length), Tensor.of(positions, positions.length), segments, arenas);
            return Ops.argmax(model.logits(model.hidden(batch))).toInts();
        }
    }

    private static Decoded engine(MlxInferenceEngine engine, int rows) {
        List<List<Long>> times = Flux.range(0, rows)
                .flatMap(row -> engine.generate(request(row))
                        .<List<Long>>collect(ArrayList::new, StepOverhead::note), rows)
                .collectList()
                .block();
        long from = times.stream().mapToLong(List::getFirst).max().orElseThrow();
        long to = times.stream().mapToLong(List::getLast).min().orElseThrow();
        double steps = mean(times, time -> time > from && time <= to);
        double before = mean(times, time -> time <= from);
        return new Decoded((to - from) / 1e6 / steps, PROMPT + (int) (before + steps / 2));
    }

    /** How many of a row's times are such, on average. */
    private static double mean(List<List<Long>> times, LongPredicate which) {
        return times.stream()
                .mapToLong(row -> row.stream().mapToLong(Long::longValue).filter(which).count())
                .average()
                .orElseThrow();
    }

    /** The time of each token. */
    private static void note(List<Long> times, GenerationEvent event) {
        switch (event) {
            case GenerationEvent.Delta delta -> times.add(System.nanoTime());
            case GenerationEvent.Completed completed -> {
                if (times.size() != completed.usage().completionTokens()) {
                    throw new IllegalStateException(times.size() + " deltas for " + completed.usage());
                }
            }
            default -> {}
        }
    }

    private static GenerationRequest request(int row) {
        return new GenerationRequest("row-" + row, null, new Prompt.Text(TEXT + row), SamplingOptions.GREEDY,
                new StopConditions(ANSWER, 0, List.of(), Set.of(), true), OutputOptions.DEFAULT);
    }
}
