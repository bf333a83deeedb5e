package dev.omlx.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.omlx.kv.tensor.KeysValues;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.nn.Attention.Heads;
import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.RandomNumbers;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our attention for the CPU gives what its formula gives in double precision. */
class CpuAttentionIT {
    private static final int DIM = 8;

    private static final float SCALE = 0.4f;

    private final RandomNumbers numbers = new RandomNumbers();

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    /** The sizes lead to pieces of all heads, of a group, of a head, and to several of each with a shorter last one. */
    @ParameterizedTest
    @CsvSource({
        "6, 2, 5, 0, 0",
        "6, 2, 40, 700, 0",
        "6, 2, 100, 900, 0",
        "6, 2, 33, 3000, 0",
        "4, 4, 70, 1500, 0",
        "3, 1, 90, 2000, 64",
        "6, 2, 50, 10, 20",
        "1, 1, 40, 5000, 0"
    })
    void chunksSeeWhatIsBeforeThem(int heads, int keyHeads, int length, int before, int window) {
        int positions = before + length;
        float[] queries = numbers.gaussian(heads * length * DIM);
        float[] keys = numbers.gaussian(keyHeads * positions * DIM);
        float[] values = numbers.gaussian(keyHeads * positions * DIM);
        float[] actual;
        try (TensorScope scope = TensorScope.open()) {
            KeysValues seen = new KeysValues(
                    Tensor.of(keys, 1, keyHeads, positions, DIM), Tensor.of(values, 1, keyHeads, positions, DIM));
            actual = CpuAttention.causal(
                            Ops.multiply(Tensor.of(queries, 1, heads, length, DIM), SCALE),
                            seen,
                            new Heads(heads, keyHeads, DIM, SCALE),
                            window,
                            mask -> CausalMask.added(mask.allowed()))
                    .toFloats();
        }
        for (int row = 0; row < heads * length; row++) {
            int last = before + row % length;
            int first = window == 0 ? 0 : Math.max(0, last - window + 1);
            int group = row / length / (heads / keyHeads);
            double[] expected = attend(queries, row, keys, values, group * positions + first, last - first + 1);
            for (int i = 0; i < DIM; i++) {
                assertThat((double) actual[row * DIM + i]).isCloseTo(expected[i], within(2e-5));
            }
        }
    }

    @Test
    void slotsSeeWhatIsAllowed() {
        int slots = 4;
        int positions = 300;
        float[] queries = numbers.gaussian(slots * DIM);
        float[] keys = numbers.gaussian(slots * positions * DIM);
        float[] values = numbers.gaussian(slots * positions * DIM);
        int[] lengths = {1, 300, 17, 200};
        boolean[] allowed = new boolean[slots * positions];
        for (int slot = 0; slot < slots; slot++) {
            Arrays.fill(allowed, slot * positions, slot * positions + lengths[slot], true);
        }
        float[] actual;
        try (TensorScope scope = TensorScope.open()) {
            KeysValues seen = new KeysValues(
                    Tensor.of(keys, slots, 1, positions, DIM), Tensor.of(values, slots, 1, positions, DIM));
            Tensor mask = CausalMask.added(Ops.reshape(Tensor.of(allowed), slots, 1, 1, positions));
            actual = CpuAttention.apply(Ops.multiply(Tensor.of(queries, slots, 1, 1, DIM), SCALE), seen, mask)
                    .toFloats();
        }
        for (int slot = 0; slot < slots; slot++) {
            double[] expected = attend(queries, slot, keys, values, slot * positions, lengths[slot]);
            for (int i = 0; i < DIM; i++) {
                assertThat((double) actual[slot * DIM + i]).isCloseTo(expected[i], within(2e-5));
            }
        }
    }

    /** A fault in a sequence's numbers has to be seen in its result. */
    @Test
    void whatIsNoNumberStaysNone() {
        float[] ones = new float[64 * DIM];
        Arrays.fill(ones, 1);
        float[] keys = ones.clone();
        keys[40 * DIM] = Float.NaN;
        try (TensorScope scope = TensorScope.open()) {
            KeysValues seen = new KeysValues(Tensor.of(keys, 1, 1, 64, DIM), Tensor.of(ones, 1, 1, 64, DIM));
            float[] result = CpuAttention.causal(
                            Tensor.of(ones, 1, 1, 64, DIM),
                            seen,
                            new Heads(1, 1, DIM, SCALE),
                            0,
                            mask -> CausalMask.added(mask.allowed()))
                    .toFloats();
            assertThat(result[63 * DIM]).isNaN();
        }
    }

    /** One query over {@code count} positions that stand side by side from {@code first} on. */
    private static double[] attend(float[] queries, int row, float[] keys, float[] values, int first, int count) {
        double[] weights = new double[count];
        double greatest = Double.NEGATIVE_INFINITY;
        for (int p = 0; p < count; p++) {
            for (int i = 0; i < DIM; i++) {
                weights[p] += (double) queries[row * DIM + i] * keys[(first + p) * DIM + i] * SCALE;
            }
            greatest = Math.max(greatest, weights[p]);
        }
        double sum = 0;
        double[] result = new double[DIM];
        for (int p = 0; p < count; p++) {
            double weight = Math.exp(weights[p] - greatest);
            sum += weight;
            for (int i = 0; i < DIM; i++) {
                result[i] += weight * values[(first + p) * DIM + i];
            }
        }
        for (int i = 0; i < DIM; i++) {
            result[i] /= sum;
        }
        return result;
    }
}
