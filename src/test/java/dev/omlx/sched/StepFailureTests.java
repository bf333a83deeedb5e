package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A step that breaks ends the sequence that is to blame and nobody else. */
class StepFailureTests {
    private final Simulation simulation = simulation();

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
    void aStepThatFailsOnceEndsNobodyOfSeveral() {
        Request first = simulation.request("first").max(50);
        Request second = simulation.request("second").max(50);
        simulation.submit(first, second);
        simulation.iterate(5);
        int tokens = first.tokens();
        failOnce();
        simulation.run();

        assertThat(tokens).isPositive();
        assertThat(List.of(first, second)).allSatisfy(request -> {
            assertThat(request.sequence().ending()).isEqualTo(Ending.LENGTH);
            assertThat(request.tokens()).isEqualTo(50);
            assertThat(request.suspicions).isEqualTo(1);
        });
    }

    @Test
    void oneThatWasAloneInTheStepEnds() {
        Request alone = simulation.request("alone").max(50);
        simulation.submit(alone);
        simulation.iterate(5);
        Request waiting = simulation.request("waiting").at(simulation.now() + 5_000_000);
        simulation.submit(waiting);
        failOnce();
        simulation.run();

        assertThat(alone.sequence().ending()).isEqualTo(Ending.FAILED);
        assertThat(alone.finishedReleases).isEqualTo(1);
        assertThat(alone.tokens()).isEqualTo(alone.sequence().generatedTokens());
        assertThat(waiting.tokens()).isEqualTo(10);
    }

    @Test
    void theOneToBlameIsFoundWhereverItsFaultLies() {
        for (int position = 0; position < 149; position++) {
            Simulation poisoned = simulation().failingStep(StepFailureTests::isPoisoned);
            Request bad = poisoned.request("bad").prompt(100).max(50).poisonedAt(position);
            for (int i = 0; i < 3; i++) {
                poisoned.submit(poisoned.request("good" + i).prompt(20 + 40 * i).max(50));
            }
            poisoned.submit(bad).run();

            assertThat(bad.sequence().ending()).as("position %d", position).isEqualTo(Ending.FAILED);
            assertThat(bad.finishedReleases).isEqualTo(1);
            assertThat(bad.tokens()).isEqualTo(Math.max(0, position - 99));
            assertThat(poisoned.requests.subList(0, 3))
                    .as("position %d", position)
                    .allMatch(good -> good.tokens() == 50 && good.suspicions <= 1);
        }
    }

    @Test
    void twoToBlameAreBothFound() {
        simulation.failingStep(StepFailureTests::isPoisoned);
        Request one = simulation.request("one").poisonedAt(102);
        Request two = simulation.request("two").poisonedAt(107);
        Request good = simulation.request("good").max(60);
        simulation.submit(one, two, good).run();

        assertThat(simulation.blamed()).containsExactlyInAnyOrder(one.sequence(), two.sequence());
        assertThat(good.tokens()).isEqualTo(60);
    }

    @Test
    void aStepLaunchedOnTopOfAFailedOneIsVoid() {
        Scheduler scheduler = simulation.scheduler;
        Request first = simulation.request("first").max(50);
        Request second = simulation.request("second").max(50);
        simulation.submit(first, second);
        simulation.iterate(5);
        StepPlan failing = simulation.launched.getLast();
        StepPlan onTop = scheduler.plan(simulation.now());
        scheduler.launched(onTop);
        int before = first.sequence().generatedTokens();

        assertThat(scheduler.failed(failing).voided()).containsExactly(onTop);

        assertThat(first.sequence().generatedTokens()).isEqualTo(before);
        assertThat(scheduler.takeReleasable()).containsExactlyInAnyOrder(first.sequence(), second.sequence());
        assertThat(first.sequence().isSpoiled()).isTrue();
        assertThat(scheduler.stats().kvReservedBytes()).isZero();
        assertThat(scheduler.stats().stepsInFlight()).isZero();
        scheduler.checkIntegrity();
    }

    @Test
    void aDeviceThatAlwaysFailsFailsEverybodyOnceAndSoon() {
        simulation.failingStep(plan -> true);
        for (int i = 0; i < 10; i++) {
            simulation.submit(simulation.request("r" + i));
        }
        simulation.run();

        assertThat(simulation.requests).allSatisfy(request -> {
            assertThat(request.sequence().ending()).isEqualTo(Ending.FAILED);
            assertThat(request.finishedReleases).isEqualTo(1);
        });
        assertThat(simulation.launched).hasSizeLessThan(30);
    }

    @Test
    void aDeviceThatFailsAtEveryBatchServesOneByOne() {
        simulation.failingStep(plan -> plan.work().size() > 1);
        for (int i = 0; i < 4; i++) {
            simulation.submit(simulation.request("r" + i).max(40));
        }
        simulation.run();

        assertThat(simulation.requests).allMatch(request -> request.tokens() == 40 && request.suspicions <= 3);
        assertThat(simulation.launched).hasSizeLessThan(4 * 40 + 40);
    }

    @Test
    void newcomersAndSuspectsTakeTurns() {
        Request first = simulation.request("first").prompt(3000).max(500);
        Request second = simulation.request("second").prompt(3000).max(500);
        simulation.submit(first, second);
        simulation.runUntil(() -> first.tokens() > 3 && second.tokens() > 3);
        failOnce();
        simulation.runUntil(
                () -> first.sequence().isSuspect() && first.sequence().running());
        Request newcomer = simulation.request("newcomer").max(5);
        simulation.submit(newcomer);
        simulation.runUntil(() -> newcomer.tokens() == 5);

        assertThat(second.sequence().isSuspect()).isTrue();
        simulation.run();
        assertThat(first.tokens() + second.tokens()).isEqualTo(1000);
    }

    @Test
    void aSuspectThatNobodyWantsAnyMoreEndsAtOnce() {
        for (SequenceState state : List.of(SequenceState.PREEMPTED, SequenceState.PREFILL, SequenceState.DECODE)) {
            // every batch fails, so that suspects stay alone
            Simulation failing = simulation().failingStep(plan -> plan.work().size() > 1);
            Request first = failing.request("first").prompt(3000).max(50);
            Request second = failing.request("second").max(50);
            failing.submit(first, second);
            failing.iterate();
            failing.runUntil(
                    () -> first.sequence().isSuspect() && first.sequence().state() == state);
            assertThat(failing.scheduler.abort(first.sequence())).isTrue();
            failing.run();

            assertThat(first.sequence().ending()).isEqualTo(Ending.ABORTED);
            assertThat(second.tokens()).isEqualTo(50);
        }
    }

    private static Simulation simulation() {
        return Simulation.of(new TestConfig().batch(4).build(), SimulatedDevice.FAST)
                .warm("model");
    }

    private static boolean isPoisoned(StepPlan plan) {
        return plan.work().stream().anyMatch(Request::poisons);
    }

    private void failOnce() {
        int[] steps = {0};
        simulation.failingStep(plan -> steps[0]++ == 0);
    }
}
