package dev.omlx.mlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.omlx.ffi.MlxException;
import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.RandomNumbers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Norm, activation and rotation give what their formulas give in double precision, for few numbers and many. */
class RowKernelsIT {
    private final RandomNumbers numbers = new RandomNumbers();

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 576", "3, 37", "700, 576", "5, 16384"})
    void rmsNorm(int rows, int size) {
        float[] x = numbers.gaussian(rows * size);
        float[] weight = numbers.gaussian(size);
        try (TensorScope scope = TensorScope.open()) {
            float[] actual = FastOps.rmsNorm(Tensor.of(x, rows, size), Tensor.of(weight, size), 0.01f)
                    .toFloats();
            for (int row = 0; row < rows; row++) {
                double squares = 0;
                for (int i = 0; i < size; i++) {
                    squares += (double) x[row * size + i] * x[row * size + i];
                }
                for (int i = 0; i < size; i++) {
                    double expected = x[row * size + i] / Math.sqrt(squares / size + 0.01) * weight[i];
                    assertThat((double) actual[row * size + i]).isCloseTo(expected, within(1e-5));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100_000})
    void siluProduct(int count) {
        float[] gate = numbers.gaussian(count);
        float[] up = numbers.gaussian(count);
        for (int i = 0; i < count; i++) {
            gate[i] *= i % 3 == 0 ? 40 : 3;
        }
        float[] special = {0, -0.0f, 1e30f, -1e30f, -87, -Float.MIN_VALUE, -89};
        System.arraycopy(special, 0, gate, 0, Math.min(count, special.length));
        try (TensorScope scope = TensorScope.open()) {
            float[] actual = FastOps.siluProduct(Tensor.of(gate, count), Tensor.of(up, count))
                    .toFloats();
            for (int i = 0; i < count; i++) {
                double expected = gate[i] / (1 + Math.exp(-(double) gate[i])) * up[i];
                double error = 4e-7 * Math.abs(expected) * Math.max(1, Math.abs(gate[i])) + 1e-6;
                assertThat((double) actual[i])
                        .as("silu(%s) * %s", gate[i], up[i])
                        .isCloseTo(expected, within(error));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100_000})
    void whatIsNoNumberStaysNone(int count) {
        float[] bad = new float[count];
        bad[3] = Float.NaN;
        bad[4] = Float.POSITIVE_INFINITY;
        try (TensorScope scope = TensorScope.open()) {
            Tensor x = Tensor.of(bad, 1, count);
            Tensor ones = Ops.add(Ops.zeros(DType.FLOAT32, 1, count), Tensor.scalar(1, DType.FLOAT32));
            float[] active = FastOps.siluProduct(x, ones).toFloats();
            assertThat(active[3]).isNaN();
            assertThat(active[4]).isEqualTo(Float.POSITIVE_INFINITY);
            assertThat(active[5]).isZero();
            assertThat(FastOps.rmsNorm(x, Ops.reshape(ones, count), 1e-5f).toFloats()[0])
                    .isNaN();
        }
    }

    @Test
    void otherTypesKeepTheirs() {
        try (TensorScope scope = TensorScope.open()) {
            Tensor x = Ops.astype(Tensor.of(numbers.gaussian(64), 1, 64), DType.BFLOAT16);
            assertThat(FastOps.siluProduct(x, x).dtype()).isEqualTo(DType.BFLOAT16);
            assertThat(FastOps.rmsNorm(x, Ops.reshape(x, 64), 1e-5f).dtype()).isEqualTo(DType.BFLOAT16);
        }
    }

    /** Heads of which all dimensions turn and of which some do, one row and many; against MLX's own rotation. */
    @ParameterizedTest
    @CsvSource({"1, 9, 64, 32, false", "1, 9, 64, 32, true", "300, 3, 20, 5, false", "300, 3, 20, 5, true"})
    void turn(int rows, int heads, int dim, int pairs, boolean interleaved) {
        assumeThat(FastOps.hasOwnKernels(DType.FLOAT32))
                .as("on the CPU of Linux")
                .isTrue();
        float[] cosines = new float[rows * pairs];
        float[] sines = new float[rows * pairs];
        int[] positions = new int[rows];
        for (int row = 0; row < rows; row++) {
            positions[row] = 7 * row + 1;
            for (int i = 0; i < pairs; i++) {
                double angle = positions[row] / Math.pow(10_000, (double) i / pairs);
                cosines[row * pairs + i] = (float) Math.cos(angle);
                sines[row * pairs + i] = (float) Math.sin(angle);
            }
        }
        try (TensorScope scope = TensorScope.open()) {
            Tensor x = Tensor.of(numbers.gaussian(rows * heads * dim), rows, heads, 1, dim);
            float[] actual = FastOps.turn(
                            x, Tensor.of(cosines, rows, pairs), Tensor.of(sines, rows, pairs), interleaved)
                    .toFloats();
            float[] expected = FastOps.rope(x, 2 * pairs, interleaved, 10_000, 1, Tensor.of(positions, rows), null)
                    .toFloats();
            for (int i = 0; i < actual.length; i++) {
                assertThat(actual[i]).isCloseTo(expected[i], within(2e-3f));
            }
        }
    }

    /** As a tensor is seen from another side, or only each second row of it. */
    @Test
    void rowsNeedNotStandSideBySide() {
        assumeThat(FastOps.hasOwnKernels(DType.FLOAT32))
                .as("on the CPU of Linux")
                .isTrue();
        try (TensorScope scope = TensorScope.open()) {
            Tensor x = Tensor.of(numbers.gaussian(40 * 30), 40, 30);
            Tensor turned = Ops.transpose(x, 1, 0);
            Tensor weight = Tensor.of(numbers.gaussian(40), 40);
            assertThat(FastOps.rmsNorm(turned, weight, 0.1f).toFloats())
                    .containsExactly(FastOps.rmsNorm(Tensor.of(turned.toFloats(), 30, 40), weight, 0.1f)
                            .toFloats());
            assertThat(FastOps.siluProduct(turned, turned).toFloats())
                    .containsExactly(FastOps.siluProduct(
                                    Tensor.of(turned.toFloats(), 30, 40), Tensor.of(turned.toFloats(), 30, 40))
                            .toFloats());
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assumeThat(FastOps.hasOwnKernels(DType.FLOAT32))
                .as("on the CPU of Linux")
                .isTrue();
        try (TensorScope scope = TensorScope.open()) {
            Tensor x = Ops.zeros(DType.FLOAT32, 2, 3, 1, 8);
            Tensor angles = Ops.zeros(DType.FLOAT32, 2, 5);
            assertThatThrownBy(() -> FastOps.turn(x, angles, angles, false))
                    .isInstanceOf(MlxException.class)
                    .hasMessageContaining("more pairs than dimensions");
            assertThatThrownBy(() -> FastOps.siluProduct(x, angles))
                    .isInstanceOf(MlxException.class)
                    .hasMessageContaining("shapes differ");
            assertThatThrownBy(() -> FastOps.rmsNorm(angles, Ops.zeros(DType.FLOAT32, 4), 1))
                    .isInstanceOf(MlxException.class)
                    .hasMessageContaining("weight does not fit");
        }
    }
}
