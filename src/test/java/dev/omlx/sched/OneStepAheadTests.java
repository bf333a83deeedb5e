package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A step is planned before the one before it is harvested. */
class OneStepAheadTests {
    private final Scheduler scheduler = new Scheduler(SchedulerConfig.DEFAULT, SimulatedMemory.plenty());
    private final Sequence sequence = sequence("a", 10, 5);

    @BeforeEach
    void add() {
        assertThat(scheduler.add(sequence)).isInstanceOf(Admission.Accepted.class);
    }

    @Test
    void decodingGoesOnFromATokenThatOnlyTheDeviceKnows() {
        StepPlan prefill = launch();
        StepPlan decode = launch();

        assertThat(prefill.work()).containsExactly(new Work(sequence, 0, 10, true));
        assertThat(decode.work()).containsExactly(new Work(sequence, 10, 1, true));
        assertThat(sequence.knownTokens()).isEqualTo(10);
        assertThat(sequence.stepsInFlight()).isEqualTo(2);
    }

    @Test
    void theTokenAfterAStopIsDropped() {
        StepPlan first = launch();
        StepPlan second = launch();

        scheduler.harvested(first, Set.of(sequence), 1000);
        assertThat(sequence.ending()).isEqualTo(Ending.STOPPED);
        assertThat(scheduler.takeReleasable()).isEmpty();
        assertThat(scheduler.plan(0).isEmpty()).isTrue();

        scheduler.harvested(second, Set.of(), 1000);
        assertThat(scheduler.takeReleasable()).containsExactly(sequence);
        assertThat(sequence.generatedTokens()).isEqualTo(1);
        assertThat(scheduler.stats().droppedTokens()).isEqualTo(1);
        assertThat(scheduler.isIdle()).isTrue();
    }

    @Test
    void nothingIsPlannedPastTheLastTokenInFlight() {
        Sequence two = sequence("b", 10, 2);
        scheduler.add(two);
        scheduler.abort(sequence);
        StepPlan first = launch();
        StepPlan second = launch();

        assertThat(scheduler.plan(0).isEmpty()).isTrue();
        scheduler.harvested(first, Set.of(), 1000);
        assertThat(scheduler.plan(0).isEmpty()).isTrue();
        scheduler.harvested(second, Set.of(), 1000);

        assertThat(two.ending()).isEqualTo(Ending.LENGTH);
        assertThat(two.generatedTokens()).isEqualTo(2);
        assertThat(scheduler.stats().droppedTokens()).isZero();
    }

    @Test
    void stepsAreHarvestedInTheirOrder() {
        launch();
        StepPlan second = launch();

        assertThatIllegalStateException()
                .isThrownBy(() -> scheduler.harvested(second, Set.of(), 1000))
                .withMessageContaining("oldest in flight");
    }

    @Test
    void onlySequencesOfTheStepCanStopInIt() {
        StepPlan plan = launch();
        Sequence stranger = sequence("b", 10, 2);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> scheduler.harvested(plan, Set.of(stranger), 1000))
                .withMessageContaining("step 0");
    }

    @Test
    void aPlanThatIsNotLaunchedIsMadeAgain() {
        StepPlan thrownAway = scheduler.plan(0);
        StepPlan again = scheduler.plan(0);

        assertThat(again.work()).isEqualTo(thrownAway.work());
        scheduler.launched(again);
        assertThatIllegalStateException()
                .isThrownBy(() -> scheduler.launched(thrownAway))
                .withMessageContaining("stale");
        scheduler.checkIntegrity();
    }

    @Test
    void aLongStepOfPrefillIsNotPlannedPast() {
        Simulation simulation =
                Simulation.of(SchedulerConfig.DEFAULT, SimulatedDevice.FAST).warm("model");
        simulation.submit(simulation.request("long").prompt(6000));
        simulation.iterate();

        assertThat(simulation.launched).hasSize(1);
        assertThat(simulation.plan().isEmpty()).isTrue();
    }

    @Test
    void aPromptAloneNeedsNoToken() {
        Sequence embedding = sequence("e", 10, 0);
        scheduler.add(embedding);
        scheduler.abort(sequence);
        StepPlan plan = launch();

        assertThat(plan.work()).containsExactly(new Work(embedding, 0, 10, false));
        scheduler.harvested(plan, Set.of(), 1000);
        assertThat(embedding.ending()).isEqualTo(Ending.LENGTH);
    }

    private StepPlan launch() {
        StepPlan plan = scheduler.plan(0);
        scheduler.launched(plan);
        scheduler.checkIntegrity();
        return plan;
    }

    private static Sequence sequence(String id, int prompt, int max) {
        return new Sequence(new SequenceSpec(id, "model", Priority.NORMAL, 0, prompt, 0, max), "nothing");
    }
}
