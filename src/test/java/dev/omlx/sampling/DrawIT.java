package dev.omlx.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.testsupport.NativeMlx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Draws follow the weights, and not what rounds differently. */
class DrawIT {
    private static final int ROWS = 200;

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    /** One draw a seed, of the same weights. */
    private static int[] draw(float[] weights, long firstSeed, int count) {
        int[] tokens = new int[count];
        for (int done = 0; done < count; done += ROWS) {
            try (TensorScope scope = TensorScope.open()) {
                List<SequenceSampling> rows = new ArrayList<>(ROWS);
                float[] all = new float[ROWS * weights.length];
                for (int i = 0; i < ROWS; i++) {
                    rows.add(
                            new SequenceSampling(seeded(firstSeed + done + i), weights.length, new int[0], new int[0]));
                    System.arraycopy(weights, 0, all, i * weights.length, weights.length);
                }
                int[] some = Draw.of(Tensor.of(all, ROWS, weights.length), rows).toInts();
                System.arraycopy(some, 0, tokens, done, ROWS);
            }
        }
        return tokens;
    }

    private static SamplingParameters seeded(long seed) {
        return new SamplingParameters(1, 1, 0, 0, 1, 0, 0, seed, Map.of(), 0, Set.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 256, 257, 1000})
    void followTheWeights(int vocabulary) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        float[] weights = new float[vocabulary];
        for (int i = 0; i < vocabulary; i++) {
            weights[i] = i % 3 == 1 ? 0 : 1 + i % 5;
        }
        double total = 0;
        double[] byRemainder = new double[15];
        for (int i = 0; i < vocabulary; i++) {
            total += weights[i];
            byRemainder[i % 15] += weights[i];
        }
        int count = 20_000;
        double[] drawn = new double[15];
        for (int token : draw(weights, seed, count)) {
            assertThat(token).isBetween(0, vocabulary - 1);
            assertThat(weights[token]).as("weight of %d", token).isPositive();
            drawn[token % 15]++;
        }
        for (int i = 0; i < 15; i++) {
            double share = byRemainder[i] / total;
            // five standard deviations
            assertThat(drawn[i] / count).isCloseTo(share, within(5 * Math.sqrt(share / count) + 1e-9));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 5000})
    void doNotHangOnTheLastBits(int vocabulary) {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        float[] weights = new float[vocabulary];
        float[] noisy = new float[vocabulary];
        for (int i = 0; i < vocabulary; i++) {
            weights[i] = random.nextFloat();
            // leans to one side, as rounding that depends on the shape of the batch may
            noisy[i] = weights[i] * (1 + 1e-5f * random.nextFloat() * (i < vocabulary / 2 ? 1 : -1));
        }
        int count = 4000;
        int[] once = draw(weights, seed, count);
        int[] again = draw(noisy, seed, count);
        long differing = 0;
        for (int i = 0; i < count; i++) {
            differing += once[i] == again[i] ? 0 : 1;
        }
        assertThat(differing).as("draws that differ, of %d", count).isLessThanOrEqualTo(3);
        assertThat(Arrays.stream(once).distinct().count()).isGreaterThan(vocabulary / 4);
    }
}
