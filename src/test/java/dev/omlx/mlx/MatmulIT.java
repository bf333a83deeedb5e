package dev.omlx.mlx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.RandomNumbers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Products with a matrix of weights, which on Linux go ways of their own by their number of rows. */
class MatmulIT {
    private final RandomNumbers numbers = new RandomNumbers();

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 576, 576",
        "2, 1536, 576",
        "3, 577, 129",
        "4, 70001, 3",
        "5, 1031, 100",
        "7, 333, 250",
        "8, 9, 9001",
        "16, 1, 70000",
        "31, 192, 576",
        "32, 576, 1536",
        "33, 576, 576",
        "3, 5, 7"
    })
    void equalsItsFormula(int rows, int outputs, int inputs) {
        float[] x = numbers.gaussian(rows * inputs);
        float[] weights = numbers.gaussian(outputs * inputs);
        float[] bias = numbers.gaussian(outputs);
        float[] product;
        float[] sum;
        try (TensorScope scope = TensorScope.open()) {
            Tensor transposed = Ops.transpose(Tensor.of(weights, outputs, inputs), 1, 0);
            product = Ops.matmul(Tensor.of(x, rows, inputs), transposed).toFloats();
            sum = Ops.addmm(Tensor.of(bias, outputs), Tensor.of(x, rows, inputs), transposed)
                    .toFloats();
        }
        for (int row = 0; row < rows; row++) {
            for (int output = 0; output < outputs; output++) {
                double expected = 0;
                for (int i = 0; i < inputs; i++) {
                    expected += (double) x[row * inputs + i] * weights[output * inputs + i];
                }
                double margin = 1e-5 * Math.sqrt(inputs) + 1e-6;
                int at = row * outputs + output;
                assertThat((double) product[at]).isCloseTo(expected, within(margin));
                assertThat((double) sum[at]).isCloseTo(expected + bias[output], within(margin));
            }
        }
    }

    /** Steps follow each other faster than helper threads come to rest, and with pauses in which they do. */
    @Test
    void manyInTurnAreAllRight() throws Exception {
        float[] weights = numbers.gaussian(576 * 576);
        float[] x = numbers.gaussian(4 * 576);
        try (TensorScope scope = TensorScope.open()) {
            Tensor matrix = Ops.transpose(Tensor.of(weights, 576, 576), 1, 0);
            Tensor rows = Tensor.of(x, 4, 576);
            float[] first = Ops.matmul(rows, matrix).toFloats();
            occupyAllCores();
            for (int i = 0; i < 3000; i++) {
                assertThat(Ops.matmul(rows, matrix).toFloats()).isEqualTo(first);
                if (i % 500 == 0) {
                    Thread.sleep(5);
                }
            }
        }
    }

    private static void occupyAllCores() {
        long end = System.nanoTime() + 300_000_000;
        Thread[] threads = new Thread[Runtime.getRuntime().availableProcessors()];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofPlatform().daemon().start(() -> {
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
            });
        }
    }
}
