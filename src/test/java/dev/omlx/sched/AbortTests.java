package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An aborted sequence is in no later plan, and its memory comes back as soon as nothing works on it. */
class AbortTests {
    private final Simulation simulation = Simulation.of(
                    new TestConfig().batch(2).build(), SimulatedDevice.FAST)
            .warm("model");
    private final Scheduler scheduler = simulation.scheduler;

    @Test
    void whileItWaits() {
        simulation.submit(
                simulation.request("a").max(500), simulation.request("b").max(500));
        simulation.iterate(3);
        Request waiting = simulation.request("waiting");
        simulation.submit(waiting);
        simulation.iterate();

        assertThat(scheduler.abort(waiting.sequence())).isTrue();
        assertThat(scheduler.takeReleasable()).containsExactly(waiting.sequence());
        assertThat(scheduler.stats().waiting()).isZero();
    }

    @Test
    void whileItsPromptIsComputed() {
        Request request = simulation.request("r").prompt(6000);
        simulation.submit(request);
        simulation.iterate();
        StepPlan inFlight = simulation.launched.getLast();

        scheduler.abort(request.sequence());

        assertThat(scheduler.takeReleasable()).isEmpty();
        scheduler.harvested(inFlight, Set.of(), 1_000_000);
        assertThat(scheduler.takeReleasable()).containsExactly(request.sequence());
        assertThat(scheduler.stats().kvReservedBytes()).isZero();
        assertThat(scheduler.isIdle()).isTrue();
    }

    @Test
    void whileItDecodes() {
        Request request = simulation.request("r").max(500);
        Request other = simulation.request("other").max(500);
        simulation.submit(request, other);
        simulation.iterate(5);
        StepPlan inFlight = simulation.launched.getLast();
        int tokens = request.sequence().generatedTokens();

        scheduler.abort(request.sequence());

        assertThat(scheduler.plan(simulation.now()).work())
                .extracting(Work::sequence)
                .containsExactly(other.sequence());
        scheduler.harvested(inFlight, Set.of(), 1_000_000);
        assertThat(request.sequence().generatedTokens()).isEqualTo(tokens);
        assertThat(scheduler.stats().droppedTokens()).isEqualTo(1);
        assertThat(scheduler.takeReleasable()).containsExactly(request.sequence());
    }

    @Test
    void whileItIsPreempted() {
        SimulatedMemory memory = SimulatedMemory.ofTokens(2000);
        Simulation tight = Simulation.of(SchedulerConfig.DEFAULT, memory, SimulatedDevice.FAST)
                .warm("model");
        Request old = tight.request("old").prompt(250).max(300);
        Request young = tight.request("young").at(1).prompt(250).max(300);
        tight.submit(old, young);
        tight.iterate(30);
        memory.takeAway(1200);
        tight.runUntil(() -> young.preemptions == 1);

        young.abortAt(tight.now());
        tight.run();

        assertThat(young.sequence().ending()).isEqualTo(Ending.ABORTED);
        assertThat(young.finishedReleases).isEqualTo(1);
        assertThat(old.tokens()).isEqualTo(300);
    }

    @Test
    void whileItsPrefixIsOnItsWay() {
        SimulatedMemory memory = SimulatedMemory.plenty().withPrefix(sequence -> KvMemory.PENDING);
        Simulation loading = Simulation.of(SchedulerConfig.DEFAULT, memory, SimulatedDevice.FAST);
        Request request = loading.request("r").abortAt(20_000_000);
        loading.submit(request).run();

        assertThat(request.sequence().ending()).isEqualTo(Ending.ABORTED);
        assertThat(memory.claims()).isZero();
    }

    @Test
    void aSecondTimeDoesNothing() {
        Request request = simulation.request("r");
        simulation.submit(request).run();

        assertThat(scheduler.abort(request.sequence())).isFalse();
        assertThat(request.sequence().ending()).isEqualTo(Ending.LENGTH);
    }

    @Test
    void aWholeModel() {
        simulation.submit(
                simulation.request("a").max(500),
                simulation.request("b").max(500),
                simulation.request("c"),
                simulation.request("d").model("other"));
        simulation.iterate(4);

        List<Sequence> live = scheduler.live("model");
        live.forEach(scheduler::abort);
        simulation.run();

        assertThat(live).hasSize(3);
        assertThat(scheduler.live("model")).isEmpty();
        assertThat(simulation.requests.getLast().tokens()).isEqualTo(10);
    }
}
