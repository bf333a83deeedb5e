package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check sees what it is there to see. */
class IntegrityCheckTests {
    private final Scheduler scheduler = new Scheduler(SchedulerConfig.DEFAULT, SimulatedMemory.plenty());
    private final Sequence sequence = new Sequence(new SequenceSpec("a", "m", Priority.NORMAL, 0, 10, 0, 5), "nothing");

    @BeforeEach
    void start() {
        scheduler.add(sequence);
        scheduler.launched(scheduler.plan(0));
        scheduler.checkIntegrity();
    }

    @Test
    void aSequenceThatEndedBehindTheSchedulersBack() {
        sequence.finish(Ending.STOPPED);

        assertThatIllegalStateException().isThrownBy(scheduler::checkIntegrity).withMessageContaining("wrong list");
    }

    @Test
    void memoryThatNobodyAccountsFor() {
        sequence.reserve(512, 1);

        assertThatIllegalStateException().isThrownBy(scheduler::checkIntegrity).withMessageContaining("KV account");
    }

    @Test
    void aStepInFlightThatIsCountedWrongly() {
        sequence.settle(new Work(sequence, 0, 10, false));

        assertThatIllegalStateException().isThrownBy(scheduler::checkIntegrity).withMessageContaining("in flight");
    }
}
