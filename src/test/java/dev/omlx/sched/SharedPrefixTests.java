package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What several sequences have in common is computed by one of them. */
class SharedPrefixTests {
    private static final int PROMPT = 5000;

    private final Simulation simulation = simulation(new TestConfig().batch(8), SimulatedMemory.plenty());
    private final Scheduler scheduler = simulation.scheduler;

    private static Simulation simulation(TestConfig config, SimulatedMemory memory) {
        return Simulation.of(config.build(), memory, SimulatedDevice.FAST).warm("model");
    }

    /** A request and copies of it, all with the same prompt. */
    private static List<Request> group(Simulation simulation, int size, int prompt, int tokens) {
        List<Request> group = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Request request = simulation.request("g" + i).prompt(prompt).max(tokens);
            if (i > 0) {
                request.awaits(group.getFirst(), prompt - 1);
            }
            group.add(request);
            simulation.submit(request);
        }
        return group;
    }

    private List<Request> group(int size) {
        return group(simulation, size, PROMPT, 30);
    }

    private static void assertComplete(List<Request> requests) {
        assertThat(requests).allSatisfy(request -> {
            assertThat(request.tokens()).as(request.toString()).isEqualTo(request.maxNew);
            assertThat(request.finishedReleases).isEqualTo(1);
        });
    }

    @Test
    void aPromptIsComputedOnceForAll() {
        List<Request> group = group(4);
        simulation.run();

        assertComplete(group);
        assertThat(simulation.prefilledTokens()).isEqualTo(PROMPT + 3);
        assertThat(simulation.launched.stream().flatMap(plan -> plan.work().stream()))
                .contains(new Work(
                        group.getLast().sequence(),
                        PROMPT - 1,
                        1,
                        true,
                        group.getFirst().sequence()));
    }

    @Test
    void followersHoldNothingWhileTheyWait() {
        List<Request> group = group(4);
        simulation.iterate();

        assertThat(scheduler.stats().running()).isEqualTo(1);
        assertThat(scheduler.stats().waiting()).isEqualTo(3);
        simulation.runUntil(() -> group.getLast().tokens() > 0);
        assertThat(scheduler.stats().running()).isEqualTo(4);
        assertThat(scheduler.stats().kvReservedBytes()).isEqualTo(4L * 5120 * SimulatedMemory.BYTES_PER_TOKEN);
    }

    @Test
    void othersAreServedMeanwhile() {
        List<Request> group = group(4);
        Request other = simulation.request("other").max(5);
        simulation.submit(other).run();

        assertComplete(group);
        assertThat(other.lastTokenAt()).isLessThan(group.getFirst().lastTokenAt());
    }

    @Test
    void aSystemPromptIsComputedOnceForDifferentRequests() {
        Request first = simulation.request("first").prompt(3000).max(5);
        Request second = simulation.request("second").prompt(2500).max(5).awaits(first, 2000);
        Request third = simulation.request("third").prompt(4000).max(5).awaits(second, 2200);
        simulation.submit(first, second, third).run();

        assertComplete(List.of(first, second, third));
        assertThat(simulation.prefilledTokens()).isEqualTo(3000 + 500 + 1800);
    }

    @Test
    void whenTheLeaderIsAbortedTheNextOneTakesOver() {
        for (SequenceState state : List.of(SequenceState.WAITING, SequenceState.PREFILL, SequenceState.DECODE)) {
            Simulation own = simulation(new TestConfig().batch(8), SimulatedMemory.plenty());
            List<Request> group = group(own, 4, PROMPT, 30);
            Request leader = group.getFirst();
            if (state == SequenceState.WAITING) {
                leader.abortAt(0);
            } else {
                own.runUntil(() -> leader.sequence != null && leader.sequence.state() == state);
                own.scheduler.abort(leader.sequence());
                own.scheduler.checkIntegrity();
            }
            own.run();

            assertThat(leader.sequence().ending()).as("in %s", state).isEqualTo(Ending.ABORTED);
            assertComplete(group.subList(1, 4));
            assertThat(own.prefilledTokens()).as("in %s", state).isLessThan(2 * PROMPT + 4);
            if (state != SequenceState.PREFILL) {
                assertThat(own.prefilledTokens()).isLessThanOrEqualTo(PROMPT + 3);
            }
        }
    }

    @Test
    void aFollowerThatIsAbortedLeavesTheOthersAlone() {
        List<Request> group = group(4);
        simulation.iterate();
        scheduler.abort(group.get(2).sequence());
        scheduler.checkIntegrity();
        simulation.run();

        assertComplete(List.of(group.get(0), group.get(1), group.get(3)));
        assertThat(group.get(2).tokens()).isZero();
        assertThat(simulation.prefilledTokens()).isEqualTo(PROMPT + 2);
    }

    @Test
    void whenAllAreAbortedNothingIsLeft() {
        List<Request> group = group(4);
        simulation.iterate(2);
        group.forEach(request -> scheduler.abort(request.sequence()));
        simulation.run();

        assertThat(scheduler.isIdle()).isTrue();
        assertThat(scheduler.stats().kvReservedBytes()).isZero();
    }

    @Test
    void whenTheLeaderFailsTheNextOneTakesOver() {
        List<Request> group = group(4);
        Request leader = group.getFirst();
        simulation.failingBuild(plan -> plan.work().stream()
                .filter(work -> work.sequence() == leader.sequence() && work.startPosition() > 0)
                .map(Work::sequence)
                .findAny()
                .orElse(null));
        simulation.run();

        assertThat(leader.sequence().ending()).isEqualTo(Ending.FAILED);
        assertComplete(group.subList(1, 4));
    }

    @Test
    void whenAStepFailsThatComputedTheLeaderNobodyCopiesIt() {
        List<Request> group = group(4);
        Request other = simulation.request("other").max(100);
        simulation.submit(other);
        int[] failures = {0};
        simulation.failingStep(plan -> plan.work().size() > 1
                && plan.work().stream().anyMatch(work -> work.sequence() == group.getFirst().sequence)
                && failures[0]++ == 0);
        simulation.run();

        assertThat(failures[0]).isPositive();
        assertComplete(group);
        assertComplete(List.of(other));
    }

    @Test
    void aStepThatCopiesFromAFailedOneIsVoid() {
        List<Request> group = group(4);
        boolean[] failed = {false};
        simulation.failingStep(plan -> {
            boolean copies = plan.work().stream().anyMatch(work -> work.source() != null);
            boolean fails = copies && !failed[0];
            failed[0] |= fails;
            return fails;
        });
        simulation.run();

        assertComplete(group);
        assertThat(simulation.blamed()).isEmpty();
    }

    @Test
    void whenTheLeaderIsPreemptedTheNextOneTakesOver() {
        SimulatedMemory memory = SimulatedMemory.ofTokens(20_000);
        Simulation tight = simulation(new TestConfig().batch(8).chunk(512), memory);
        Request old = tight.request("old").prompt(250).max(200).priority(Priority.HIGH);
        tight.submit(old);
        List<Request> group = group(tight, 3, PROMPT, 30);
        tight.runUntil(() ->
                group.getFirst().sequence != null && group.getFirst().sequence().computedTokens() > 1000);
        memory.takeAway(19_400);
        tight.runUntil(() -> group.getFirst().preemptions == 1);
        memory.takeAway(0);
        tight.run();

        assertComplete(group);
        assertThat(tight.prefilledTokens()).isLessThan(2 * PROMPT + 300);
    }

    @Test
    void aPreemptedLeaderWhosePromptIsAllSharedStillComputesItsLastToken() {
        SimulatedMemory memory = SimulatedMemory.ofTokens(20_000);
        Simulation tight = simulation(new TestConfig().batch(8).chunk(512), memory);
        tight.submit(tight.request("old").prompt(250).max(200).priority(Priority.HIGH));
        Request leader = tight.request("leader").prompt(PROMPT);
        Request longer = tight.request("longer").prompt(PROMPT + 500).awaits(leader, PROMPT);
        tight.submit(leader, longer);
        tight.runUntil(() -> leader.sequence != null && leader.sequence().computedTokens() > 1000);
        memory.takeAway(19_400);
        tight.runUntil(() -> leader.preemptions == 1);
        memory.takeAway(0);
        tight.run();

        assertComplete(List.of(leader, longer));
    }

    @Test
    void aLeaderThatHasEndedIsKeptUntilTheLastHasItsCopy() {
        Simulation one = simulation(new TestConfig().batch(1), SimulatedMemory.plenty());
        List<Request> group = group(one, 3, PROMPT, 1);
        one.run();

        assertComplete(group);
        assertThat(one.prefilledTokens()).isEqualTo(PROMPT + 2);
        assertThat(group.getFirst().lastTokenAt()).isLessThan(group.getLast().firstTokenAt());
    }

    @Test
    void aLeaderIsKeptOnlyWhileThereIsMemoryForIt() {
        // room for one of them and a half
        Simulation tight = simulation(new TestConfig().batch(1), SimulatedMemory.ofTokens(7700));
        List<Request> group = group(tight, 3, PROMPT, 1);
        tight.run();

        assertComplete(group);
        assertThat(tight.prefilledTokens()).isEqualTo(3 * PROMPT);
    }

    @Test
    void everyChoiceCountsInTheQueue() {
        Simulation narrow = simulation(new TestConfig().batch(1).queue(2), SimulatedMemory.plenty());
        List<Request> group = group(narrow, 5, PROMPT, 5);
        narrow.run();

        assertThat(group).extracting(Request::accepted).containsExactly(true, true, true, false, false);
        assertComplete(group.subList(0, 3));
    }

    @Test
    void drainingFinishesFollowersToo() {
        List<Request> group = group(4);
        simulation.iterate();
        scheduler.drain();
        simulation.run();

        assertComplete(group);
        assertThat(scheduler.isIdle()).isTrue();
    }

    @Test
    void oneWhoseLeaderIsGoneComputesAlone() {
        Request leader = simulation.request("leader").max(1);
        simulation.submit(leader).run();
        Request late = simulation.request("late").max(3).awaits(leader, 99);
        simulation.submit(late).run();

        assertComplete(List.of(late));
        assertThat(simulation.prefilledTokens()).isEqualTo(200);
    }

    @Test
    void onlyAPrefixOfBothPromptsCanBeAwaited() {
        Sequence leader = sequence("leader", "model", Priority.NORMAL, 50);
        for (int tokens : new int[] {0, 51, 100}) {
            Sequence follower = sequence("follower", "model", Priority.NORMAL, 100);
            assertThatIllegalArgumentException().isThrownBy(() -> follower.awaits(leader, tokens));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> sequence("other", "other", Priority.NORMAL, 100).awaits(leader, 10));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> sequence("urgent", "model", Priority.HIGH, 100).awaits(leader, 10))
                .withMessageContaining("lower class");
    }

    private static Sequence sequence(String id, String model, Priority priority, int prompt) {
        return new Sequence(new SequenceSpec(id, model, priority, 0, prompt, 0, 5), "nothing");
    }
}
