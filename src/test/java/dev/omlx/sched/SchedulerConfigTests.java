package dev.omlx.sched;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SchedulerConfigTests {
    private static final long MILLI = 1_000_000;

    @Test
    void prefillGetsWhatTheTargetLeaves() {
        SchedulerConfig config = new TestConfig().target(Duration.ofMillis(100)).build();

        assertThat(config.prefillNanos(60 * MILLI)).isEqualTo(40 * MILLI);
    }

    @Test
    void prefillNeverSlowsDecodingBelowItsShare() {
        SchedulerConfig config = new TestConfig().target(Duration.ofMillis(100)).build();

        assertThat(config.prefillNanos(10 * MILLI)).isEqualTo(15 * MILLI);
    }

    @Test
    void prefillAlwaysGetsItsShare() {
        SchedulerConfig config = new TestConfig().target(Duration.ofMillis(100)).build();

        assertThat(config.prefillNanos(200 * MILLI)).isEqualTo(100 * MILLI);
    }

    @Test
    void byDefaultThoseThatWaitGetTwoFifthsOfTheTime() {
        assertThat(SchedulerConfig.DEFAULT.prefillNanos(300 * MILLI)).isEqualTo(200 * MILLI);
        assertThat(SchedulerConfig.DEFAULT.prefillNanos(30 * MILLI)).isEqualTo(45 * MILLI);
    }

    @Test
    void namesTheValueThatIsWrong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TestConfig().batch(0).build())
                .withMessageContaining("maxBatchSize");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TestConfig().chunk(4).minPrefill(8).build())
                .withMessageContaining("prefillChunkSize");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TestConfig().target(Duration.ZERO).build())
                .withMessageContaining("decodeLatencyTarget");
    }
}
