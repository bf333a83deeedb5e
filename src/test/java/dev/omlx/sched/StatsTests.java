package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatsTests {
    @Test
    void countsEveryModelsSequences() {
        Simulation simulation = Simulation.of(new TestConfig().batch(2).build(), SimulatedDevice.FAST)
                .warm("a");
        for (int i = 0; i < 3; i++) {
            simulation.submit(simulation.request("r" + i).model("a").prompt(100).max(50));
        }
        simulation.iterate(3);

        SchedulerStats stats = simulation.scheduler.stats();
        assertThat(stats.models()).containsEntry("a", new LaneStats(1, 0, 2));
        assertThat(stats.waiting()).isEqualTo(1);
        assertThat(stats.running()).isEqualTo(2);
        assertThat(stats.prefilling()).isZero();
        assertThat(stats.stepsInFlight()).isEqualTo(1);
        assertThat(stats.tokensInFlight()).isEqualTo(2);
        assertThat(stats.kvReservedBytes()).isEqualTo(512 * SimulatedMemory.BYTES_PER_TOKEN);
    }

    @Test
    void aMovingQueueHasADelayAndAnEmptyOneHasNone() {
        Simulation simulation = Simulation.of(new TestConfig().batch(1).build(), SimulatedDevice.FAST);
        for (int i = 0; i < 20; i++) {
            simulation.submit(simulation.request("r" + i).max(100));
        }
        simulation.runUntil(() -> simulation.scheduler.stats().waiting() == 8);
        long left = simulation.now();
        long predicted = simulation.scheduler.stats().queueDelay().toNanos();
        simulation.run();
        long took = simulation.requests.getLast().firstTokenAt() - left;

        assertThat(predicted).isBetween(took / 3, took * 2);
        assertThat(simulation.scheduler.stats().queueDelay()).isZero();
    }
}
