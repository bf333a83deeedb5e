package dev.omlx.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.nn.RaggedBatch;
import dev.omlx.testsupport.NativeMlx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every architecture we know computes what mlx-lm does: whole, in pieces, and in company. */
class ReferenceModelsIT {
    /**
     * MLX's CPU kernel adds up packed bfloat16 products in bfloat16; mlx-lm itself, with the same weights in float32, is
     * 5 to 7 % of the largest logit away from this reference. Only the stored arithmetic can equal it.
     */
    private static final String BFLOAT16_PACKED = "llama-q4g64-bf16";

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    static Stream<Arguments> models() {
        return ReferenceModel.namesStartingWith("llama", "mistral", "qwen2", "qwen3").stream()
                .flatMap(name -> Stream.of(Precision.auto(Device.CPU), Precision.STORED)
                        .filter(precision -> precision.equals(Precision.STORED) || !name.equals(BFLOAT16_PACKED))
                        .map(precision -> Arguments.of(name, precision)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("models")
    void equalsMlxLm(String name, Precision precision) {
        long before = Tensor.live();
        ReferenceModel reference = ReferenceModel.read(name);
        try (ModelLoader files = ModelLoader.open(ReferenceModel.path(name));
                LanguageModel model = files.load(precision)) {
            for (ReferenceModel.Case prompt : reference.prompts()) {
                whole(model, reference, prompt);
                inPieces(model, reference, prompt, 7);
            }
            together(model, reference);
        }
        assertThat(Tensor.live()).isEqualTo(before);
    }

    private static void whole(LanguageModel model, ReferenceModel reference, ReferenceModel.Case prompt) {
        try (SequenceCache cache = model.newCache()) {
            float[][] logits = rows(model, cache, prompt.tokens());
            assertLogits(reference, prompt, logits[logits.length - 1]);
            double sum = 0;
            for (int i = 1; i < prompt.tokens().length; i++) {
                sum += logprob(logits[i - 1], prompt.tokens()[i]);
            }
            assertThat(sum)
                    .isCloseTo(
                            prompt.logprob_sum(),
                            within(Math.abs(prompt.logprob_sum())
                                    * reference.tolerance().logits_rel()));
            assertGreedy(model, cache, reference, prompt, logits[logits.length - 1]);
        }
    }

    private static void inPieces(LanguageModel model, ReferenceModel reference, ReferenceModel.Case prompt, int size) {
        try (SequenceCache cache = model.newCache()) {
            float[][] logits = {};
            for (int i = 0; i < prompt.tokens().length; i += size) {
                logits = rows(
                        model,
                        cache,
                        Arrays.copyOfRange(prompt.tokens(), i, Math.min(prompt.tokens().length, i + size)));
            }
            assertLogits(reference, prompt, logits[logits.length - 1]);
        }
    }

    /** All prompts in one ragged batch, then all decoding together, a row each. */
    private static void together(LanguageModel model, ReferenceModel reference) {
        List<SequenceCache> caches =
                reference.prompts().stream().map(prompt -> model.newCache()).toList();
        try {
            List<int[]> tokens = reference.prompts().stream()
                    .map(ReferenceModel.Case::tokens)
                    .toList();
            float[][] last = step(model, caches, tokens);
            for (int step = 0; step < 8; step++) {
                List<int[]> next = new ArrayList<>();
                for (int i = 0; i < caches.size(); i++) {
                    ReferenceModel.Case prompt = reference.prompts().get(i);
                    assertToken(reference, prompt, step, last[i]);
                    next.add(new int[] {prompt.greedy()[step]});
                }
                last = step(model, caches, next);
            }
        } finally {
            caches.forEach(SequenceCache::close);
        }
    }

    private static void assertGreedy(
            LanguageModel model,
            SequenceCache cache,
            ReferenceModel reference,
            ReferenceModel.Case prompt,
            float[] last) {
        float[] logits = last;
        for (int step = 0; step < prompt.greedy().length; step++) {
            assertToken(reference, prompt, step, logits);
            logits = rows(model, cache, new int[] {prompt.greedy()[step]})[0];
        }
    }

    private static void assertToken(ReferenceModel reference, ReferenceModel.Case prompt, int step, float[] logits) {
        double margin = reference.tolerance().margin(prompt);
        if (prompt.greedy_margins()[step] >= margin) {
            assertThat(argmax(logits)).as("greedy token %d", step).isEqualTo(prompt.greedy()[step]);
        }
    }

    private static void assertLogits(ReferenceModel reference, ReferenceModel.Case prompt, float[] logits) {
        double allowed = prompt.largest() * reference.tolerance().logits_rel();
        assertThat(logits).hasSize(prompt.logits().length);
        for (int i = 0; i < logits.length; i++) {
            assertThat((double) logits[i]).as("logit %d", i).isCloseTo(prompt.logits()[i], within(allowed));
        }
    }

    /** The logits of every row. */
    private static float[][] rows(LanguageModel model, SequenceCache cache, int[] tokens) {
        try (TensorScope scope = TensorScope.open()) {
            RaggedBatch batch = batch(List.of(cache), List.of(tokens));
            return split(model.logits(model.hidden(batch)));
        }
    }

    /** The logits of each sequence's last row. */
    private static float[][] step(LanguageModel model, List<SequenceCache> caches, List<int[]> tokens) {
        try (TensorScope scope = TensorScope.open()) {
            RaggedBatch batch = batch(caches, tokens);
            int[] ends = batch.segments().stream()
                    .mapToInt(segment -> segment.start() + segment.length() - 1)
                    .toArray();
            Tensor hidden = Ops.take(model.hidden(batch), Tensor.of(ends, ends.length), 0);
            return split(model.logits(hidden));
        }
    }

    private static RaggedBatch batch(List<SequenceCache> caches, List<int[]> tokens) {
        List<RaggedBatch.Segment> segments = new ArrayList<>();
        IntStream.Builder positions = IntStream.builder();
        int rows = 0;
        for (int i = 0; i < caches.size(); i++) {
            int before = caches.get(i).length();
            IntStream.range(before, before + tokens.get(i).length).forEach(positions);
            segments.add(new RaggedBatch.Segment(rows, tokens.get(i).length, caches.get(i)));
            rows += tokens.get(i).length;
        }
        int[] flat = tokens.stream().flatMapToInt(Arrays::stream).toArray();
        return new RaggedBatch(
                Tensor.of(flat, rows), Tensor.of(positions.build().toArray(), rows), segments);
    }

    private static float[][] split(Tensor logits) {
        float[] flat = logits.toFloats();
        int vocabulary = logits.dim(1);
        return IntStream.range(0, logits.dim(0))
                .mapToObj(row -> Arrays.copyOfRange(flat, row * vocabulary, (row + 1) * vocabulary))
                .toArray(float[][]::new);
    }

    private static double logprob(float[] logits, int token) {
        double largest = logits[argmax(logits)];
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit - largest);
        }
        return logits[token] - largest - Math.log(sum);
    }

    private static int argmax(float[] logits) {
        return IntStream.range(0, logits.length)
                .reduce((a, b) -> logits[b] > logits[a] ? b : a)
                .orElseThrow();
    }
}
