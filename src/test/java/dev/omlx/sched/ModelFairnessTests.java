package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Models take turns, by the time they use. */
class ModelFairnessTests {
    @Test
    void modelsThatDecodeGetTheSameTime() {
        // the large model's steps take four times as long
        Simulation simulation = new Simulation(
                SchedulerConfig.DEFAULT, SimulatedMemory.plenty(), shape -> 10_000_000L * shape.tokens());
        Request one = simulation.request("one").model("small").prompt(1).max(5000);
        simulation.submit(one);
        Request[] four = new Request[4];
        for (int i = 0; i < 4; i++) {
            four[i] = simulation.request("four" + i).model("large").prompt(1).max(5000);
            simulation.submit(four[i]);
        }
        simulation.iterate(1000);

        assertThat(one.tokens() / (double) four[0].tokens()).isBetween(3.5, 4.5);
    }

    @Test
    void aModelThatWasIdleDoesNotClaimThePast() {
        Simulation simulation = Simulation.of(SchedulerConfig.DEFAULT, SimulatedDevice.FAST);
        Request early = simulation.request("early").model("a").max(5000);
        simulation.submit(early);
        simulation.iterate(500);
        Request late = simulation.request("late").model("b").max(5000);
        simulation.submit(late);
        int before = early.tokens();
        simulation.iterate(200);

        assertThat(early.tokens() - before).isBetween(90, 110);
        assertThat(late.tokens()).isBetween(80, 110);
    }

    @Test
    void onePromptDoesNotStopAnotherModelsStream() {
        SimulatedDevice device = SimulatedDevice.FAST;
        Simulation simulation =
                Simulation.of(SchedulerConfig.DEFAULT, device).warm("a").warm("b");
        Request stream = simulation.request("stream").model("a").max(2000);
        simulation.submit(stream);
        simulation.iterate(20);
        Request prompt = simulation.request("prompt").model("b").prompt(6000).max(1);
        simulation.submit(prompt);
        simulation.runUntil(() -> prompt.tokens() == 1);

        assertThat(stream.longestGap()).isLessThan(3 * device.nanos(new StepShape(1, 500, 0, 0)));
    }
}
