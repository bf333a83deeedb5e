package dev.omlx.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.NoTensorsLeft;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is drawn, how often, and what the filters leave. */
@ExtendWith(NoTensorsLeft.class)
class SamplerIT {
    private static final double[] PROBABILITIES = {0.4, 0.05, 0.3, 0.05, 0.2};
    private static final int DRAWS = 4000;

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    private static SamplingParameters parameters(double temperature, double topP, int topK, double minP, long seed) {
        return new SamplingParameters(temperature, topP, topK, minP, 1, 0, 0, seed, Map.of(), 0, Set.of());
    }

    /** How often each token is drawn by {@link #DRAWS} rows that differ by their seed. */
    private static double[] frequencies(double temperature, double topP, int topK, double minP) {
        List<SamplingParameters> rows = IntStream.range(0, DRAWS)
                .mapToObj(seed -> parameters(temperature, topP, topK, minP, seed))
                .toList();
        double[] counts = new double[PROBABILITIES.length];
        for (int token : draw(rows)) {
            counts[token] += 1.0 / DRAWS;
        }
        return counts;
    }

    private static int[] draw(List<SamplingParameters> rows) {
        int vocabulary = PROBABILITIES.length;
        float[] logits = new float[rows.size() * vocabulary];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) Math.log(PROBABILITIES[i % vocabulary]) + 3;
        }
        List<SequenceSampling> samplings = new ArrayList<>();
        try (TensorScope scope = TensorScope.open()) {
            rows.forEach(row -> samplings.add(new SequenceSampling(row, vocabulary, new int[] {0}, new int[0])));
            try (SampledTokens sampled = Sampler.sample(Tensor.of(logits, rows.size(), vocabulary), samplings, -1)) {
                sampled.launch();
                return sampled.readTokens();
            }
        } finally {
            samplings.forEach(SequenceSampling::close);
        }
    }

    private static void assertFrequencies(double[] actual, double... expected) {
        for (int token = 0; token < expected.length; token++) {
            double deviation = Math.sqrt(expected[token] * (1 - expected[token]) / DRAWS);
            assertThat(actual[token]).as("token %d", token).isCloseTo(expected[token], within(4.5 * deviation));
        }
    }

    @Test
    void drawsFromTheModelsDistribution() {
        assertFrequencies(frequencies(1, 1, 0, 0), PROBABILITIES);
    }

    @Test
    void temperatureSharpensAndFlattens() {
        double sum = Arrays.stream(PROBABILITIES).map(p -> p * p).sum();
        assertFrequencies(
                frequencies(0.5, 1, 0, 0),
                Arrays.stream(PROBABILITIES).map(p -> p * p / sum).toArray());
        double flat = Arrays.stream(PROBABILITIES).map(Math::sqrt).sum();
        assertFrequencies(
                frequencies(2, 1, 0, 0),
                Arrays.stream(PROBABILITIES).map(p -> Math.sqrt(p) / flat).toArray());
    }

    @Test
    void topKKeepsTheLikeliest() {
        assertFrequencies(frequencies(1, 1, 2, 0), 4 / 7.0, 0, 3 / 7.0, 0, 0);
    }

    @Test
    void topPKeepsTheFewestThatReachIt() {
        assertFrequencies(frequencies(1, 0.69, 0, 0), 4 / 7.0, 0, 3 / 7.0, 0, 0);
        assertFrequencies(frequencies(1, 0.71, 0, 0), 4 / 9.0, 0, 3 / 9.0, 0, 2 / 9.0);
    }

    @Test
    void minPDropsWhatIsFarBelowTheLikeliest() {
        assertFrequencies(frequencies(1, 1, 0, 0.3), 4 / 9.0, 0, 3 / 9.0, 0, 2 / 9.0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-300, 1e-50, 1e-39, 1e-7})
    void nextToNothingLeavesTheLikeliest(double tiny) {
        assertThat(frequencies(tiny, 1, 0, 0)[0]).isCloseTo(1, within(1e-9));
        assertThat(frequencies(tiny, 1, 1, 0)[0]).isCloseTo(1, within(1e-9));
        assertThat(frequencies(1, tiny, 0, 0)[0]).isCloseTo(1, within(1e-9));
    }

    @Test
    void filtersWorkTogether() {
        assertFrequencies(frequencies(1, 0.95, 3, 0.6), 4 / 7.0, 0, 3 / 7.0, 0, 0);
    }

    @Test
    void rowsOfEveryKindMix() {
        int[] tokens = draw(List.of(
                SamplingParameters.GREEDY,
                parameters(1, 1, 1, 0, 5),
                parameters(1, 1e-9, 0, 0, 6),
                parameters(1, 1, 0, 1, 7),
                parameters(1, 1, 0, 0, 8)));
        assertThat(Arrays.copyOf(tokens, 4)).containsExactly(0, 0, 0, 0);
        assertThat(tokens[4]).isEqualTo(draw(List.of(parameters(1, 1, 0, 0, 8)))[0]);
    }

    @Test
    void aRowDrawsTheSameWhateverTheOthersFilter() {
        List<SamplingParameters> plain = IntStream.range(0, 200)
                .mapToObj(seed -> parameters(1, 1, 0, 0, seed))
                .toList();
        List<SamplingParameters> mixed = new ArrayList<>(plain);
        mixed.add(parameters(1, 0.5, 2, 0, 1));
        assertThat(Arrays.copyOf(draw(mixed), plain.size())).isEqualTo(draw(plain));
    }

    @Test
    void oneThatStartsAgainRemembersItsAnswer() {
        SamplingParameters penalties = new SamplingParameters(0, 1, 0, 0, 1.5, 1, 1, 0, Map.of(), 0, Set.of());
        float[] logits = {3, 2.5f, 2, 1.5f, 1};
        try (TensorScope scope = TensorScope.open();
                SequenceSampling fresh = new SequenceSampling(penalties, logits.length, new int[] {4}, new int[0])) {
            int[] answer = new int[10];
            for (int i = 0; i < answer.length; i++) {
                answer[i] = next(logits, fresh);
                try (SequenceSampling again =
                        new SequenceSampling(penalties, logits.length, new int[] {4}, Arrays.copyOf(answer, i))) {
                    assertThat(next(logits, again)).as("token %d", i).isEqualTo(answer[i]);
                }
            }
            assertThat(answer).contains(0, 1, 2);
        }
    }

    private static int next(float[] logits, SequenceSampling row) {
        try (SampledTokens sampled = Sampler.sample(Tensor.of(logits, 1, logits.length), List.of(row), -1)) {
            sampled.launch();
            return sampled.readTokens()[0];
        }
    }

    @Test
    void takesWhatIsForcedAndLeavesTheOthersAlone() {
        int vocabulary = PROBABILITIES.length;
        List<SamplingParameters> rows = IntStream.range(0, 8)
                .mapToObj(i -> parameters(i % 2, 1, 0, 0, i))
                .toList();
        int[] free = draw(rows);
        float[] logits = new float[rows.size() * vocabulary];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) Math.log(PROBABILITIES[i % vocabulary]) + 3;
        }
        List<SequenceSampling> samplings = new ArrayList<>();
        try (TensorScope scope = TensorScope.open()) {
            rows.forEach(row -> samplings.add(new SequenceSampling(row, vocabulary, new int[] {0}, new int[0])));
            samplings.get(2).force(1);
            samplings.get(5).force(3);
            try (SampledTokens sampled = Sampler.sample(Tensor.of(logits, rows.size(), vocabulary), samplings, 0)) {
                sampled.launch();
                free[2] = 1;
                free[5] = 3;
                assertThat(sampled.readTokens()).isEqualTo(free);
                assertThat(Objects.requireNonNull(sampled.readLogprobs()).get(5).logprob())
                        .isCloseTo((float) Math.log(PROBABILITIES[3]), within(1e-4f));
            }
        } finally {
            samplings.forEach(SequenceSampling::close);
        }
    }
}
