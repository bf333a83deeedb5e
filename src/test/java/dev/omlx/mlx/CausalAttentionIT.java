package dev.omlx.mlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.omlx.ffi.MlxException;
import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.RandomNumbers;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our attention for the CPU gives what its formula gives in double precision. */
class CausalAttentionIT {
    private static final float SCALE = 0.4f;

    private final RandomNumbers numbers = new RandomNumbers();

    @BeforeAll
    static void start() {
        NativeMlx.start();
        assumeThat(FastOps.hasOwnKernels(DType.FLOAT32))
                .as("on the CPU of Linux")
                .isTrue();
    }

    /**
     * Rows that are few and many, heads with and without a group, blocks and tiles that are whole and not, sizes that are
     * no multiple of a vector, values narrower and wider than keys, windows, and parts that are joined in the end.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 6, 2, 1, 8, 8, 1, 0",
        "1, 6, 2, 5, 8, 8, 5, 0",
        "1, 6, 2, 40, 8, 12, 740, 0",
        "1, 4, 4, 70, 64, 64, 1570, 0",
        "1, 3, 1, 90, 64, 64, 2090, 64",
        "1, 6, 2, 50, 16, 16, 60, 20",
        "1, 1, 1, 40, 80, 80, 5040, 0",
        "1, 9, 3, 1, 64, 64, 4096, 0",
        "1, 8, 1, 3, 48, 40, 1000, 100",
        "1, 16, 2, 1, 128, 128, 3000, 0",
        "1, 2, 2, 7, 5, 33, 129, 1",
        "4, 9, 3, 1, 64, 64, 256, 0",
        "8, 4, 2, 2, 12, 20, 300, 30"
    })
    void asTheFormulaSays(
            int batch, int heads, int keyHeads, int length, int dim, int valueDim, int positions, int window) {
        Case c = new Case(batch, heads, keyHeads, length, dim, valueDim, positions, window);
        float[] queries = numbers.gaussian(batch * heads * length * dim);
        float[] keys = numbers.gaussian(batch * keyHeads * positions * dim);
        float[] values = numbers.gaussian(batch * keyHeads * positions * valueDim);
        int[] ends = new int[batch];
        Arrays.setAll(ends, i -> i == 0 ? positions : length + (i * 97) % (positions - length + 1));
        float[] actual;
        try (TensorScope scope = TensorScope.open()) {
            actual = FastOps.causalAttention(
                            Tensor.of(queries, batch, heads, length, dim),
                            spaced(Tensor.of(keys, batch, keyHeads, positions, dim)),
                            spaced(Tensor.of(values, batch, keyHeads, positions, valueDim)),
                            ends,
                            window,
                            SCALE)
                    .toFloats();
        }
        assertThat(actual).hasSize(batch * length * heads * valueDim);
        for (int i = 0; i < actual.length; i += valueDim) {
            int head = i / valueDim % heads;
            int query = i / valueDim / heads;
            double[] expected = c.attend(queries, keys, values, query / length, head, query % length, ends);
            for (int j = 0; j < valueDim; j++) {
                assertThat((double) actual[i + j]).isCloseTo(expected[j], within(2e-5));
            }
        }
    }

    /** As keys and values stand in a buffer that has room for more. */
    private static Tensor spaced(Tensor x) {
        Tensor more = Ops.concatenate(2, x, Ops.slice(x, 2, 0, 1));
        return Ops.slice(more, 2, 0, x.dim(2));
    }

    /** Queries as they come from projections: the heads of a token side by side. */
    @Test
    void queriesMayStandInAnyOrder() {
        float[] queries = numbers.gaussian(20 * 4 * 8);
        float[] keys = numbers.gaussian(4 * 50 * 8);
        try (TensorScope scope = TensorScope.open()) {
            Tensor seen = Tensor.of(keys, 1, 4, 50, 8);
            Tensor swapped = Ops.transpose(Tensor.of(queries, 1, 20, 4, 8), 0, 2, 1, 3);
            Tensor copied = Ops.multiply(swapped, 1);
            float[] expected = FastOps.causalAttention(copied, seen, seen, new int[] {50}, 0, SCALE)
                    .toFloats();
            assertThat(FastOps.causalAttention(swapped, seen, seen, new int[] {50}, 0, SCALE)
                            .toFloats())
                    .containsExactly(expected);
        }
    }

    /** A fault in a sequence's numbers has to be seen in its result, and in nobody else's. */
    @ParameterizedTest
    @CsvSource({"NaN, 64", "NaN, 1", "Infinity, 64", "Infinity, 1"})
    void whatIsNoNumberStaysNone(float bad, int length) {
        float[] ones = new float[2 * 64 * 8];
        Arrays.fill(ones, 1);
        float[] keys = ones.clone();
        keys[40 * 8] = bad;
        try (TensorScope scope = TensorScope.open()) {
            float[] result = FastOps.causalAttention(
                            Ops.slice(Tensor.of(ones, 2, 1, 64, 8), 2, 0, length),
                            Tensor.of(keys, 2, 1, 64, 8),
                            Tensor.of(ones, 2, 1, 64, 8),
                            new int[] {64, 64},
                            0,
                            SCALE)
                    .toFloats();
            assertThat(result[(length - 1) * 8]).isNaN();
            assertThat(result[(2 * length - 1) * 8]).isEqualTo(1);
        }
    }

    /** Scores so far apart that all but one weigh nothing, in every order. */
    @Test
    void greatDifferencesAreNoFault() {
        float[] keys = new float[300];
        float[] values = new float[300];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = i % 2 == 0 ? -1e6f * i : 1e6f * i;
            values[i] = i;
        }
        try (TensorScope scope = TensorScope.open()) {
            Tensor all = Tensor.of(keys, 1, 1, 300, 1);
            float[] result = FastOps.causalAttention(
                            Tensor.of(new float[] {1, -1}, 1, 2, 1, 1),
                            all,
                            Tensor.of(values, 1, 1, 300, 1),
                            new int[] {300},
                            0,
                            1)
                    .toFloats();
            assertThat(result).containsExactly(299, 298);
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        try (TensorScope scope = TensorScope.open()) {
            Tensor queries = Ops.zeros(DType.FLOAT32, 1, 4, 3, 8);
            Tensor keys = Ops.zeros(DType.FLOAT32, 1, 2, 10, 8);
            refused("end", queries, keys, keys, 11);
            refused("end", queries, keys, keys, 2);
            refused("one end a sequence", queries, keys, keys, 10, 10);
            refused("heads", queries, Ops.zeros(DType.FLOAT32, 1, 3, 10, 8), Ops.zeros(DType.FLOAT32, 1, 3, 10, 8), 10);
            refused("keys do not fit", queries, Ops.zeros(DType.FLOAT32, 1, 2, 10, 7), keys, 10);
            refused("batch sizes", queries, Ops.zeros(DType.FLOAT32, 2, 2, 10, 8), keys, 10);
            refused("float32", Ops.zeros(DType.FLOAT16, 1, 4, 3, 8), keys, keys, 10);
            refused("four dimensions", Ops.zeros(DType.FLOAT32, 4, 3, 8), keys, keys, 10);
        }
    }

    private static void refused(String why, Tensor queries, Tensor keys, Tensor values, int... ends) {
        assertThatThrownBy(() -> FastOps.causalAttention(queries, keys, values, ends, 0, 1))
                .isInstanceOf(MlxException.class)
                .hasMessageContaining(why);
    }

    private record Case(
            int batch, int heads, int keyHeads, int length, int dim, int valueDim, int positions, int window) {
        double[] attend(float[] queries, float[] keys, float[] values, int sequence, int head, int query, int... ends) {
            int last = ends[sequence] - length + query;
            int first = window == 0 ? 0 : Math.max(0, last - window + 1);
            int lane = sequence * keyHeads + head / (heads / keyHeads);
            double[] weights = new double[last + 1];
            double greatest = Double.NEGATIVE_INFINITY;
            for (int p = first; p <= last; p++) {
                for (int i = 0; i < dim; i++) {
                    weights[p] += (double) queries[((sequence * heads + head) * length + query) * dim + i]
                            * keys[(lane * positions + p) * dim + i]
                            * SCALE;
                }
                greatest = Math.max(greatest, weights[p]);
            }
            double sum = 0;
            double[] result = new double[valueDim];
            for (int p = first; p <= last; p++) {
                double weight = Math.exp(weights[p] - greatest);
                sum += weight;
                for (int i = 0; i < valueDim; i++) {
                    result[i] += weight * values[(lane * positions + p) * valueDim + i];
                }
            }
            for (int i = 0; i < valueDim; i++) {
                result[i] /= sum;
            }
            return result;
        }
    }
}
