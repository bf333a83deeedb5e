package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class SequenceTests {
    private final Sequence sequence =
            new Sequence(new SequenceSpec("a", "model", Priority.NORMAL, 0, 10, 0, 5), "something");

    @Test
    void goesFromWaitingToTheEnd() {
        sequence.start();
        sequence.claimPrefix(0);
        assertThat(sequence.state()).isEqualTo(SequenceState.PREFILL);
        sequence.launch(new Work(sequence, 0, 10, true));
        assertThat(sequence.state()).isEqualTo(SequenceState.DECODE);
        sequence.finish(Ending.STOPPED);
        assertThat(sequence.finished()).isTrue();
    }

    @Test
    void doesNotEndTwice() {
        sequence.finish(Ending.ABORTED);

        assertThatIllegalStateException()
                .isThrownBy(() -> sequence.finish(Ending.STOPPED))
                .withMessageContaining("FINISHED");
        assertThat(sequence.ending()).isEqualTo(Ending.ABORTED);
    }

    @Test
    void cannotBePreemptedBeforeItRuns() {
        assertThatIllegalStateException().isThrownBy(sequence::preempt);
    }

    @Test
    void cannotStartTwice() {
        sequence.start();

        assertThatIllegalStateException().isThrownBy(sequence::start);
    }

    @Test
    void isAddedOnce() {
        Scheduler scheduler = new Scheduler(SchedulerConfig.DEFAULT, SimulatedMemory.plenty());
        scheduler.add(sequence);

        assertThatIllegalArgumentException().isThrownBy(() -> scheduler.add(sequence));
    }

    @Test
    void carriesWhatTheEngineAttached() {
        assertThat(sequence.attachment(String.class)).isEqualTo("something");
    }

    @Test
    void hasASensibleSpecification() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SequenceSpec("a", "model", Priority.NORMAL, 0, 0, 0, 5))
                .withMessageContaining("at least one token");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SequenceSpec("a", "model", Priority.NORMAL, 0, 10, 10, 5))
                .withMessageContaining("last one is always computed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SequenceSpec("a", "model", Priority.NORMAL, 0, 10, 0, -1));
    }
}
