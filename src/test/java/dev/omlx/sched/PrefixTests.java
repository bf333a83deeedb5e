package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a prefix cache supplies is not computed again. */
class PrefixTests {
    @Test
    void prefillBeginsBehindTheCachedPrefix() {
        Simulation simulation = simulation(SimulatedMemory.plenty().withPrefix(sequence -> 80));
        Request request = simulation.request("r").prompt(100).max(1);
        simulation.submit(request).run();

        assertThat(simulation.launched).hasSize(1);
        assertThat(simulation.launched.getFirst().work()).containsExactly(new Work(request.sequence(), 80, 20, true));
        assertThat(request.sequence().cachedTokens()).isEqualTo(80);
    }

    @Test
    void twoIdenticalFullyCachedRequestsRunTogether() {
        Simulation simulation = simulation(SimulatedMemory.plenty().withPrefix(sequence -> 99));
        simulation.submit(
                simulation.request("a").prompt(100).max(5),
                simulation.request("b").prompt(100).max(5));
        simulation.run();

        assertThat(simulation.launched.getFirst().work()).hasSize(2);
        assertThat(simulation.requests).allMatch(request -> request.tokens() == 5);
    }

    @Test
    void aPrefixOnItsWayFromDiskHoldsUpNobodyElse() {
        AtomicInteger asked = new AtomicInteger();
        Simulation simulation = simulation(SimulatedMemory.plenty()
                .withPrefix(sequence ->
                        sequence.id().equals("disk") ? asked.incrementAndGet() > 20 ? 50 : KvMemory.PENDING : 0));
        Request disk = simulation.request("disk").prompt(100).max(5);
        Request other = simulation.request("other").at(1).prompt(100).max(5);
        simulation.submit(disk, other).run();

        assertThat(other.lastTokenAt()).isLessThan(disk.firstTokenAt());
        assertThat(disk.tokens()).isEqualTo(5);
    }

    @Test
    void theLastTokenIsNeverTakenFromACache() {
        Simulation simulation = simulation(SimulatedMemory.plenty().withPrefix(Sequence::promptTokens));
        simulation.submit(simulation.request("r").prompt(100));

        assertThatIllegalStateException().isThrownBy(simulation::iterate).withMessageContaining("last known token");
    }

    @Test
    void cachedTokensAreThoseOfTheFirstStart() {
        SimulatedMemory memory = SimulatedMemory.ofTokens(2000)
                .withPrefix(sequence -> sequence.generatedTokens() == 0 ? 10 : sequence.knownTokens() - 1);
        Simulation simulation = simulation(memory);
        Request old = simulation.request("old").prompt(250).max(300);
        Request young = simulation.request("young").at(1).prompt(250).max(300);
        simulation.submit(old, young);
        simulation.iterate(30);
        memory.takeAway(1200);
        simulation.runUntil(() -> young.preemptions == 1);
        memory.takeAway(0);
        simulation.run();

        assertThat(young.tokens()).isEqualTo(300);
        assertThat(young.sequence().cachedTokens()).isEqualTo(10);
    }

    private static Simulation simulation(SimulatedMemory memory) {
        return Simulation.of(SchedulerConfig.DEFAULT, memory, SimulatedDevice.FAST)
                .warm("model");
    }
}
