package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.IntSummaryStatistics;
import org.junit.jupiter.api.Test;

/** Batch sizes that measure slower than two smaller steps are avoided. */
class BatchSizeTests {
    /** Two or three rows take four times as long as one; from four on it pays to go together. */
    private static long cliffAtTwo(StepShape shape) {
        int rows = shape.decodeRows();
        long nanos = rows == 2 || rows == 3 ? 40_000_000 : rows < 2 ? 10_000_000 : 20_000_000;
        return nanos + 10_000L * shape.prefillTokens();
    }

    @Test
    void twoRowsTakeTurnsWhereABatchOfTwoIsSlow() {
        Simulation simulation = simulation(2);

        simulation.iterate(200);

        assertThat(simulation.launched.subList(20, 200))
                .filteredOn(step -> step.shape().decodeRows() == 2)
                .as("only to see whether it is still so")
                .hasSizeLessThan(4);
        IntSummaryStatistics tokens = tokens(simulation);
        assertThat(tokens.getMax() - tokens.getMin()).isLessThanOrEqualTo(2);
    }

    @Test
    void fourRowsGoTogether() {
        Simulation simulation = simulation(4);

        simulation.iterate(200);

        assertThat(simulation.launched.subList(20, 200))
                .allMatch(step -> step.shape().decodeRows() == 4);
    }

    @Test
    void aSizeThatHasBecomeFastIsFoundOut() {
        Simulation simulation = simulation(2);
        simulation.iterate(50);
        simulation.cost(shape -> 10_000_000);

        simulation.iterate(4000);

        assertThat(simulation.launched.subList(4000, 4040))
                .allMatch(step -> step.shape().decodeRows() == 2);
    }

    private static Simulation simulation(int requests) {
        Simulation simulation =
                new Simulation(SchedulerConfig.DEFAULT, SimulatedMemory.plenty(), BatchSizeTests::cliffAtTwo);
        CostModel costs = simulation.scheduler.costs("model");
        for (int i = 0; i < 5; i++) {
            costs.observe(new StepShape(1, 10, 0, 0), 10_000_000);
        }
        for (int i = 0; i < requests; i++) {
            simulation.submit(simulation.request("r" + i).prompt(10).max(10_000));
        }
        return simulation;
    }

    private static IntSummaryStatistics tokens(Simulation simulation) {
        return simulation.requests.stream().mapToInt(Request::tokens).summaryStatistics();
    }
}
