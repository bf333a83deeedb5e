package dev.omlx.sched;

import java.time.Duration;

/** The default configuration with some values of one's own. */
final class TestConfig {
    /** Less than the default, so that the target has something to decide. */
    static final double MIN_PREFILL_SHARE = 1.0 / 3;

    private int maxBatchSize = SchedulerConfig.DEFAULT_MAX_BATCH_SIZE;
    private int prefillChunkSize = SchedulerConfig.DEFAULT_PREFILL_CHUNK_SIZE;
    private int minPrefillTokens = SchedulerConfig.DEFAULT_MIN_PREFILL_TOKENS;
    private Duration decodeLatencyTarget = SchedulerConfig.DEFAULT_DECODE_LATENCY_TARGET;
    private Duration maxStepTime = SchedulerConfig.DEFAULT_MAX_STEP_TIME;
    private int queueLimit = SchedulerConfig.DEFAULT_QUEUE_LIMIT;

    TestConfig batch(int rows) {
        maxBatchSize = rows;
        return this;
    }

    TestConfig chunk(int tokens) {
        prefillChunkSize = tokens;
        return this;
    }

    TestConfig minPrefill(int tokens) {
        minPrefillTokens = tokens;
        return this;
    }

    TestConfig target(Duration target) {
        decodeLatencyTarget = target;
        return this;
    }

    TestConfig maxStep(Duration time) {
        maxStepTime = time;
        return this;
    }

    TestConfig queue(int limit) {
        queueLimit = limit;
        return this;
    }

    SchedulerConfig build() {
        return new SchedulerConfig(
                maxBatchSize,
                prefillChunkSize,
                minPrefillTokens,
                decodeLatencyTarget,
                SchedulerConfig.DEFAULT_MAX_DECODE_SLOWDOWN,
                MIN_PREFILL_SHARE,
                maxStepTime,
                queueLimit,
                SchedulerConfig.DEFAULT_PRIORITY_HEAD_START,
                SchedulerConfig.DEFAULT_KV_GROWTH_TOKENS);
    }
}
