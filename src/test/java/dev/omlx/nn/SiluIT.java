package dev.omlx.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.RandomNumbers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Silu gives what its formula gives in double precision, by either way of computing it. */
class SiluIT {
    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100_000})
    void equalsItsFormula(int count) {
        float[] values = new RandomNumbers().gaussian(count);
        for (int i = 0; i < count; i++) {
            values[i] *= i % 3 == 0 ? 40 : 3;
        }
        values[0] = 0;
        values[1] = -0.0f;
        values[2] = 1e30f;
        values[3] = -1e30f;
        values[4] = -87;
        values[5] = -Float.MIN_VALUE;
        try (TensorScope scope = TensorScope.open()) {
            float[] actual = Silu.apply(Tensor.of(values, count)).toFloats();
            for (int i = 0; i < count; i++) {
                double expected = values[i] / (1 + Math.exp(-(double) values[i]));
                assertThat((double) actual[i])
                        .as("silu(%s)", values[i])
                        .isCloseTo(
                                expected, within(4e-7 * Math.abs(expected) * Math.max(1, Math.abs(values[i])) + 1e-6));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100_000})
    void leavesNoNumberOutAndKeepsTheType(int count) {
        float[] values = new float[count];
        values[3] = Float.NaN;
        values[4] = Float.POSITIVE_INFINITY;
        try (TensorScope scope = TensorScope.open()) {
            Tensor result = Silu.apply(Tensor.of(values, count));
            assertThat(result.toFloats()[3]).isNaN();
            assertThat(result.toFloats()[4]).isEqualTo(Float.POSITIVE_INFINITY);
            Tensor half = Silu.apply(Ops.astype(Tensor.of(values, count), DType.BFLOAT16));
            assertThat(half.dtype()).isEqualTo(DType.BFLOAT16);
        }
    }
}
