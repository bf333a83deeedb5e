package dev.omlx.engine.config;

import dev.omlx.sched.SchedulerConfig;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How requests share the device.
 *
 * @param maxBatchSize most sequences that run at once, up to 4096
 * @param prefillChunkSize most prompt tokens in one step, up to a million
 * @param decodeLatencyTarget how long a step may take while anything decodes: the gap that a running stream may show
 *     while a long prompt is read
 * @param queueLimit most sequences that wait, one for each choice of a request; further requests are refused with 429
 * @param drainTimeout how long running requests may go on when the server is told to stop; then they end with an error
 */
@Validated
@ConfigurationProperties("omlx.scheduler")
public record SchedulerProperties(
        @DefaultValue("" + SchedulerConfig.DEFAULT_MAX_BATCH_SIZE) @Min(1) @Max(4096)
        int maxBatchSize,

        @DefaultValue("" + SchedulerConfig.DEFAULT_PREFILL_CHUNK_SIZE)
        @Min(SchedulerConfig.DEFAULT_MIN_PREFILL_TOKENS)
        @Max(1_000_000)
        int prefillChunkSize,

        @DefaultValue("100ms") @DurationMin(millis = 1) Duration decodeLatencyTarget,

        @DefaultValue("" + SchedulerConfig.DEFAULT_QUEUE_LIMIT) @Min(0) @Max(1_000_000)
        int queueLimit,

        @DefaultValue("20s") @DurationMin(millis = 0) Duration drainTimeout) {

    SchedulerConfig toConfig() {
        SchedulerConfig defaults = SchedulerConfig.DEFAULT;
        return new SchedulerConfig(
                maxBatchSize,
                prefillChunkSize,
                defaults.minPrefillTokens(),
                decodeLatencyTarget,
                defaults.maxDecodeSlowdown(),
                defaults.minPrefillShare(),
                defaults.maxStepTime(),
                queueLimit,
                defaults.priorityHeadStart(),
                defaults.kvGrowthTokens());
    }
}
