package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A step that breaks ends the sequences it worked on and nobody else. */
class StepFailureTests {
    private final Simulation simulation = Simulation.of(
                    new TestConfig().batch(4).build(), SimulatedDevice.FAST)
            .warm("model");

    @Test
    void aPromptThatCannotBeBuiltDoesNotTouchWhoDecodesBesideIt() {
        Request good = simulation.request("good").max(50);
        simulation.submit(good);
        simulation.iterate(5);
        Request bad = simulation.request("bad");
        simulation.failingBuild(plan -> plan.work().stream()
                .map(Work::sequence)
                .filter(sequence -> sequence.id().equals("bad"))
                .findAny()
                .orElse(null));
        simulation.submit(bad).run();

        assertThat(bad.sequence().ending()).isEqualTo(Ending.FAILED);
        assertThat(bad.finishedReleases).isEqualTo(1);
        assertThat(good.tokens()).isEqualTo(50);
    }

    @Test
    void aStepThatFailsEndsAllThatWereInIt() {
        Request first = simulation.request("first").max(50);
        Request second = simulation.request("second").max(50);
        simulation.submit(first, second);
        simulation.iterate(5);
        Request waiting = simulation.request("waiting").at(simulation.now() + 5_000_000);
        simulation.submit(waiting);
        int[] steps = {0};
        simulation.failingStep(plan -> steps[0]++ == 0);
        simulation.run();

        assertThat(List.of(first, second)).allSatisfy(request -> {
            assertThat(request.sequence().ending()).isEqualTo(Ending.FAILED);
            assertThat(request.finishedReleases).isEqualTo(1);
            assertThat(request.tokens()).isEqualTo(request.sequence().generatedTokens());
        });
        assertThat(waiting.tokens()).isEqualTo(10);
    }
}
