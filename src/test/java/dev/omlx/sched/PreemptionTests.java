package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** When memory runs out, the least valuable sequence gives its memory back and starts again later. */
class PreemptionTests {
    /** Room for two sequences of 250 + 300 tokens, which start with 256 each and end with 768. */
    private final SimulatedMemory memory = SimulatedMemory.ofTokens(2000);

    private final Simulation simulation =
            Simulation.of(SchedulerConfig.DEFAULT, memory, SimulatedDevice.FAST).warm("model");

    @Test
    void theYoungestIsPreemptedAndCompletesLater() {
        Request old = simulation.request("old").at(0).prompt(250).max(300);
        Request young = simulation.request("young").at(1).prompt(250).max(300);
        simulation.submit(old, young);
        simulation.iterate(30);
        memory.takeAway(1200);
        simulation.runUntil(() -> young.preemptions == 1);
        int before = young.sequence().generatedTokens();
        assertThat(young.sequence().state()).isEqualTo(SequenceState.PREEMPTED);
        memory.takeAway(0);
        simulation.run();

        assertThat(old.preemptions).isZero();
        assertThat(old.tokens()).isEqualTo(300);
        assertThat(before).isPositive();
        assertThat(young.tokens()).isEqualTo(300);
        assertThat(simulation.scheduler.stats().preemptions()).isEqualTo(1);
    }

    @Test
    void theResumedOneComputesPromptAndAnswerAsItsPrompt() {
        Request old = simulation.request("old").at(0).prompt(250).max(300);
        Request young = simulation.request("young").at(1).prompt(250).max(300);
        simulation.submit(old, young);
        simulation.iterate(30);
        memory.takeAway(1200);
        simulation.runUntil(() -> young.preemptions == 1);
        int known = young.sequence().knownTokens();
        int stepsBefore = simulation.launched.size();
        memory.takeAway(0);
        simulation.run();

        int recomputed = simulation.launched.subList(stepsBefore, simulation.launched.size()).stream()
                .mapToInt(step -> step.shape().prefillTokens())
                .sum();
        assertThat(recomputed).isEqualTo(known);
    }

    @Test
    void theLowestClassGoesBeforeTheYoungest() {
        Request low = simulation.request("low").at(0).prompt(250).max(300).priority(Priority.LOW);
        Request young = simulation.request("young").at(1).prompt(250).max(300);
        simulation.submit(low, young);
        simulation.iterate(30);
        memory.takeAway(1200);
        simulation.iterate(5);
        memory.takeAway(0);
        simulation.run();

        assertThat(low.preemptions).isEqualTo(1);
        assertThat(young.preemptions).isZero();
        assertThat(low.tokens()).isEqualTo(300);
    }

    @Test
    void memoryComesBackOnlyAfterTheLastStepInFlight() {
        Scheduler scheduler = simulation.scheduler;
        Request old = simulation.request("old").at(0).prompt(250).max(300);
        Request young = simulation.request("young").at(1).prompt(250).max(300);
        simulation.submit(old, young);
        simulation.iterate(30);
        StepPlan inFlight = simulation.launched.getLast();
        memory.takeAway(1600);

        StepPlan next = scheduler.plan(simulation.now());

        assertThat(next.work()).extracting(Work::sequence).containsExactly(old.sequence());
        assertThat(young.sequence().state()).isEqualTo(SequenceState.PREEMPTED);
        assertThat(scheduler.takeReleasable()).isEmpty();
        int before = young.sequence().generatedTokens();
        scheduler.harvested(inFlight, Set.of(), 1000);
        assertThat(young.sequence().generatedTokens())
                .as("the token in flight counts")
                .isEqualTo(before + 1);
        assertThat(scheduler.takeReleasable()).containsExactly(young.sequence());
        scheduler.checkIntegrity();
    }

    @Test
    void cachesShrinkBeforeAnybodyIsPreempted() {
        Request a = simulation.request("a").prompt(250).max(300);
        Request b = simulation.request("b").prompt(250).max(300);
        simulation.submit(a, b);
        simulation.iterate(30);
        memory.fillCache(1000);
        simulation.run();

        assertThat(memory.shrunkBytes()).isPositive();
        assertThat(simulation.scheduler.stats().preemptions()).isZero();
    }

    @Test
    void oneThatCannotGrowAlthoughItIsAloneFailsWithTheSizes() {
        Request lonely = simulation.request("lonely").prompt(900).max(2000);
        simulation.submit(lonely).run();

        assertThat(lonely.sequence().ending()).isEqualTo(Ending.FAILED);
        assertThat(lonely.tokens()).isEqualTo(1792 - 900 + 1);
        assertThat(lonely.failure().reason()).contains("1793 tokens", "takes 2.0 MiB", "only 1.9 MiB");
    }
}
