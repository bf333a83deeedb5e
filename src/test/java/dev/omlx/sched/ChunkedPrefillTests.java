package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prompts are computed in chunks that fit a step, several prompts in one step, beside rows that decode. */
class ChunkedPrefillTests {
    @Test
    void aLongPromptIsComputedChunkByChunk() {
        Simulation simulation = Simulation.of(new TestConfig().chunk(512).build(), SimulatedDevice.FAST)
                .warm("model");
        simulation.submit(simulation.request("long").prompt(1200).max(1)).run();

        assertThat(chunks(simulation)).containsExactly("0+512", "512+512", "1024+176!");
    }

    @Test
    void severalPromptsShareAStep() {
        Simulation simulation =
                Simulation.of(SchedulerConfig.DEFAULT, SimulatedDevice.FAST).warm("model");
        for (int i = 0; i < 5; i++) {
            simulation.submit(simulation.request("r" + i).prompt(100 + i).max(1));
        }
        simulation.run();

        assertThat(simulation.launched).hasSize(1);
        assertThat(chunks(simulation)).containsExactly("0+100!", "0+101!", "0+102!", "0+103!", "0+104!");
    }

    @Test
    void decodingRowsComeFirst() {
        Simulation simulation =
                Simulation.of(SchedulerConfig.DEFAULT, SimulatedDevice.FAST).warm("model");
        simulation.submit(simulation.request("a").prompt(10).max(50));
        simulation.iterate(3);
        simulation.submit(simulation.request("b").prompt(10).max(50));
        simulation.iterate();

        List<Work> work = simulation.launched.getLast().work();
        assertThat(work).extracting(each -> each.sequence().id()).containsExactly("a", "b");
        assertThat(work).extracting(Work::tokenCount).containsExactly(1, 10);
    }

    @Test
    void noStepOfPrefillTakesLongerThanTheLimit() {
        SchedulerConfig config =
                new TestConfig().maxStep(Duration.ofMillis(300)).build();
        SimulatedDevice device = SimulatedDevice.FAST;
        Simulation simulation = Simulation.of(config, device).warm("model");
        simulation.submit(simulation.request("long").prompt(4000).max(1)).run();

        assertThat(simulation.launched)
                .extracting(step -> device.nanos(step.shape()) / 1_000_000)
                .allMatch(millis -> millis <= 330)
                .hasSizeBetween(8, 12);
    }

    @Test
    void aModelOfUnknownSpeedStartsWithSmallChunks() {
        Simulation simulation = Simulation.of(SchedulerConfig.DEFAULT, SimulatedDevice.FAST);
        simulation.submit(simulation.request("long").prompt(6000).max(1)).run();

        assertThat(simulation.launched)
                .extracting(step -> step.shape().prefillTokens())
                .startsWith(256, 256, 512)
                .contains(1024);
    }

    /** Each chunk as start+length, with an exclamation mark where it produces a token. */
    private static List<String> chunks(Simulation simulation) {
        return simulation.launched.stream()
                .flatMap(step -> step.work().stream())
                .map(work -> work.startPosition() + "+" + work.tokenCount() + (work.producesToken() ? "!" : ""))
                .toList();
    }
}
