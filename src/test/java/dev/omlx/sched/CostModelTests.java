package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostModelTests {
    private final CostModel costs = new CostModel();

    @Test
    void knowsNothingAtFirst() {
        assertThat(costs.predict(new StepShape(3, 300, 50, 5000))).isZero();
    }

    @Test
    void repeatsWhatItSaw() {
        costs.observe(new StepShape(4, 400, 0, 0), 20_000_000);

        assertThat(costs.predict(new StepShape(4, 400, 0, 0))).isEqualTo(20_000_000);
    }

    @Test
    void liesBetweenWhatItSaw() {
        costs.observe(new StepShape(4, 400, 0, 0), 20_000_000);
        costs.observe(new StepShape(8, 400, 0, 0), 30_000_000);

        assertThat(costs.predict(new StepShape(6, 400, 0, 0))).isEqualTo(25_000_000);
        assertThat(costs.predict(new StepShape(1, 400, 0, 0))).isEqualTo(20_000_000);
        assertThat(costs.predict(new StepShape(16, 400, 0, 0))).isEqualTo(30_000_000);
    }

    @Test
    void prefillBesideDecodingBorrowsFromPrefillAlone() {
        costs.observe(new StepShape(2, 100, 0, 0), 10_000_000);
        costs.observe(StepShape.EMPTY.plusPrefill(0, 400), 200_000_000);

        assertThat(costs.predict(new StepShape(2, 100, 0, 0).plusPrefill(0, 40)))
                .isBetween(25_000_000L, 35_000_000L);
    }

    @Test
    void aStepWithPrefillBoundsWhatItsRowsCanTake() {
        costs.observe(new StepShape(1, 100, 0, 0), 300_000_000);
        for (int i = 0; i < 5; i++) {
            costs.observe(new StepShape(1, 100, 20, 200), 15_000_000);
        }

        assertThat(costs.predict(new StepShape(1, 100, 0, 0))).isLessThanOrEqualTo(15_000_000);
    }

    @Test
    void forgetsTheCompilingOfTheFirstStep() {
        costs.observe(new StepShape(1, 10, 0, 0), 900_000_000);
        for (int i = 0; i < 10; i++) {
            costs.observe(new StepShape(1, 11 + i, 0, 0), 8_000_000);
        }

        assertThat(costs.predict(new StepShape(1, 20, 0, 0))).isCloseTo(8_000_000L, within(500_000L));
    }

    @Test
    void aHiccupHardlyCounts() {
        for (int i = 0; i < 10; i++) {
            costs.observe(new StepShape(1, 10, 0, 0), 8_000_000);
        }
        costs.observe(new StepShape(1, 10, 0, 0), 5_000_000_000L);

        assertThat(costs.predict(new StepShape(1, 10, 0, 0))).isLessThan(10_000_000);
    }

    @Test
    void followsALastingChange() {
        for (int i = 0; i < 10; i++) {
            costs.observe(new StepShape(1, 10, 0, 0), 8_000_000);
        }
        for (int i = 0; i < 25; i++) {
            costs.observe(new StepShape(1, 10, 0, 0), 40_000_000);
        }

        assertThat(costs.predict(new StepShape(1, 10, 0, 0))).isGreaterThan(36_000_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void risesWithEveryPartOfTheShape(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            costs.observe(randomShape(random), 1_000_000 + random.nextLong(100_000_000));
        }
        for (int i = 0; i < 300; i++) {
            StepShape shape = randomShape(random);
            long nanos = costs.predict(shape);
            StepShape more = new StepShape(
                    shape.decodeRows() + random.nextInt(4),
                    shape.decodeContext() + random.nextInt(1000),
                    shape.prefillTokens() + random.nextInt(100),
                    shape.prefillContext() + random.nextInt(100_000));
            if (shape.decodeRows() > 0) {
                assertThat(costs.predict(more))
                        .as("seed %d: %s, %s", seed, shape, more)
                        .isGreaterThanOrEqualTo(nanos);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void learnsANoisyMachineToWithinAFifth(long seed) {
        SimulatedDevice device = seed % 2 == 0 ? SimulatedDevice.FAST : SimulatedDevice.SLOW;
        Random random = new Random(seed);
        for (int i = 0; i < 4000; i++) {
            StepShape shape = realShape(random);
            costs.observe(shape, device.nanos(shape, random));
        }
        double error = 0;
        for (int i = 0; i < 200; i++) {
            StepShape shape = realShape(random);
            error += Math.abs(costs.predict(shape) / (double) device.nanos(shape) - 1) / 200;
        }

        assertThat(error).as("seed %d", seed).isLessThan(0.2);
    }

    @Test
    void findsTheTokensThatFit() {
        for (int i = 0; i < 5; i++) {
            costs.observe(new StepShape(1, 100, 0, 0), 10_000_000);
            costs.observe(new StepShape(1, 100, 0, 0).plusPrefill(0, 100), 60_000_000);
        }

        int fit = costs.fit(new StepShape(1, 100, 0, 0), 0, 1000, 35_000_000);

        assertThat(fit).isBetween(45, 55);
        assertThat(costs.fit(new StepShape(1, 100, 0, 0), 0, 20, 35_000_000)).isEqualTo(20);
        assertThat(costs.fit(new StepShape(1, 100, 0, 0), 0, 1000, 9_000_000)).isZero();
    }

    private static StepShape randomShape(Random random) {
        return new StepShape(
                random.nextInt(40), random.nextInt(40_000), random.nextInt(3000), random.nextInt(9_000_000));
    }

    private static StepShape realShape(Random random) {
        StepShape shape = StepShape.EMPTY;
        int rows = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(16);
        for (int i = 0; i < rows; i++) {
            shape = shape.plusDecode(1 + random.nextInt(2000));
        }
        if (rows == 0) {
            return shape.plusPrefill(random.nextInt(4000), 1 + random.nextInt(2048));
        }
        return random.nextBoolean() ? shape : shape.plusPrefill(random.nextInt(4000), 8 + random.nextInt(100));
    }
}
