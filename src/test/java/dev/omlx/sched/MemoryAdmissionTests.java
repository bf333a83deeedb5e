package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Sequences start when there is memory for what they are about to compute. */
class MemoryAdmissionTests {
    @Test
    void aLargeMaxTokensCostsNothingInAdvance() {
        Simulation simulation =
                Simulation.of(SchedulerConfig.DEFAULT, SimulatedMemory.ofTokens(512), SimulatedDevice.FAST);
        Request request = simulation.request("r").prompt(30).max(8192).stopAfter(20);
        simulation.submit(request).run();

        assertThat(request.sequence().ending()).isEqualTo(Ending.STOPPED);
    }

    @Test
    void aPromptThatCanNeverFitIsRefusedAtOnce() {
        Scheduler scheduler = new Scheduler(SchedulerConfig.DEFAULT, SimulatedMemory.ofTokens(1000));
        Sequence large = new Sequence(new SequenceSpec("large", "model", Priority.NORMAL, 0, 2000, 0, 1), "nothing");

        assertThat(scheduler.add(large)).isInstanceOfSatisfying(Admission.TooLarge.class, refusal -> {
            assertThat(refusal.failure().neededBytes()).isEqualTo(2048 * SimulatedMemory.BYTES_PER_TOKEN);
            assertThat(refusal.failure().availableBytes()).isEqualTo(1000 * SimulatedMemory.BYTES_PER_TOKEN);
        });
        assertThat(scheduler.isIdle()).isTrue();
    }

    @Test
    void othersWaitUntilThereIsRoomAndNobodyIsPreempted() {
        Simulation simulation =
                Simulation.of(SchedulerConfig.DEFAULT, SimulatedMemory.ofTokens(1600), SimulatedDevice.FAST);
        for (int i = 0; i < 12; i++) {
            simulation.submit(simulation.request("r" + i).prompt(200).max(150));
        }
        simulation.rule(plan -> assertThat(plan.work().size()).isLessThanOrEqualTo(3));
        simulation.run();

        assertThat(simulation.requests).allMatch(request -> request.tokens() == 150);
        assertThat(simulation.scheduler.stats().preemptions()).isZero();
    }

    @Test
    void cachesMakeRoomForANewSequence() {
        SimulatedMemory memory = SimulatedMemory.ofTokens(2000);
        Simulation simulation = Simulation.of(SchedulerConfig.DEFAULT, memory, SimulatedDevice.FAST);
        memory.fillCache(2000);
        Request request = simulation.request("r").prompt(700).max(5);
        simulation.submit(request).run();

        assertThat(request.tokens()).isEqualTo(5);
        assertThat(memory.shrunkBytes()).isEqualTo(768 * SimulatedMemory.BYTES_PER_TOKEN);
    }

    @Test
    void freedMemoryIsSeenAtOnce() {
        SimulatedMemory memory = SimulatedMemory.ofTokens(1000);
        Simulation simulation = Simulation.of(SchedulerConfig.DEFAULT, memory, SimulatedDevice.FAST);
        for (int i = 0; i < 20; i++) {
            simulation.submit(simulation.request("burst" + i).prompt(300).max(20));
        }
        simulation.run();
        Request small = simulation.request("small").prompt(700).max(5);
        simulation.submit(small).run();

        assertThat(small.tokens()).isEqualTo(5);
    }

    @Test
    void aLargeOneThatWaitsForMemoryIsOvertakenOnlySoOften() {
        SimulatedMemory memory = SimulatedMemory.ofTokens(2200);
        Simulation simulation = Simulation.of(new TestConfig().batch(4).build(), memory, SimulatedDevice.FAST)
                .warm("model");
        simulation.submit(simulation.request("running").prompt(300).max(100));
        simulation.iterate(5);
        Request large = simulation.request("large").prompt(2000).max(5);
        simulation.submit(large);
        for (int i = 0; i < 100; i++) {
            simulation.submit(simulation
                    .request("small" + i)
                    .at(simulation.now() + 1 + i)
                    .prompt(50)
                    .max(20));
        }
        simulation.run();

        long overtakers = simulation.requests.stream()
                .filter(request -> request.id.startsWith("small"))
                .filter(request -> request.firstTokenAt() < large.firstTokenAt())
                .count();
        assertThat(large.tokens()).isEqualTo(5);
        assertThat(overtakers).isBetween(1L, 4L);
    }

    @Test
    void aHigherClassPassesALargeOneThatNobodyMayOvertakeAnyMore() {
        SimulatedMemory memory = SimulatedMemory.ofTokens(2200);
        Simulation simulation = Simulation.of(new TestConfig().batch(4).build(), memory, SimulatedDevice.FAST)
                .warm("model");
        simulation.submit(simulation.request("running").prompt(300).max(100));
        simulation.iterate(5);
        Request large = simulation.request("large").prompt(2000).max(5);
        simulation.submit(large);
        for (int i = 0; i < 20; i++) {
            simulation.submit(simulation.request("small" + i).prompt(50).max(20));
        }
        simulation.iterate(50);
        Request high = simulation.request("high").priority(Priority.HIGH);
        simulation.submit(high).run();

        assertThat(high.firstTokenAt()).isLessThan(large.firstTokenAt());
        assertThat(simulation.requests).allMatch(request -> request.tokens() == request.maxNew);
    }
}
