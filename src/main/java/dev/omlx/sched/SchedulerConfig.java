package dev.omlx.sched;

import java.time.Duration;

/**
 * The scheduler's parameters. The defaults stand here and nowhere else.
 *
 * @param maxBatchSize most sequences of one model that run at once, prefilling ones included
 * @param prefillChunkSize most prefill tokens in a step, over all sequences
 * @param minPrefillTokens prefill tokens that a step with prefill takes in any case, so that prompts always progress;
 *     also the smallest chunk worth cutting off a prompt
 * @param decodeLatencyTarget how long a step may take while anything decodes: the gap that a running stream may show
 * @param maxDecodeSlowdown prefill may stretch a decode step to this many times its own time and no more, even where
 *     the target allows it: running streams keep {@code 1 / maxDecodeSlowdown} of their pace
 * @param minPrefillShare share of a step's time that prefill gets even where the target forbids it, below 1
 * @param maxStepTime how long a step may take when nothing decodes: bounds how long an abort or a newcomer waits
 * @param queueLimit most sequences that wait, besides those for which there is a place in the batch
 * @param priorityHeadStart a class counts as arriving this much earlier than the one below it, so that a lower class
 *     waits its turn but never for ever
 * @param kvGrowthTokens KV buffers grow by so many tokens at a time
 */
public record SchedulerConfig(
        int maxBatchSize,
        int prefillChunkSize,
        int minPrefillTokens,
        Duration decodeLatencyTarget,
        double maxDecodeSlowdown,
        double minPrefillShare,
        Duration maxStepTime,
        int queueLimit,
        Duration priorityHeadStart,
        int kvGrowthTokens) {

    public static final int DEFAULT_MAX_BATCH_SIZE = 32;
    public static final int DEFAULT_PREFILL_CHUNK_SIZE = 2048;
    public static final int DEFAULT_MIN_PREFILL_TOKENS = 8;
    public static final Duration DEFAULT_DECODE_LATENCY_TARGET = Duration.ofMillis(100);
    public static final double DEFAULT_MAX_DECODE_SLOWDOWN = 2.5;
    public static final double DEFAULT_MIN_PREFILL_SHARE = 0.4;
    public static final Duration DEFAULT_MAX_STEP_TIME = Duration.ofSeconds(1);
    public static final int DEFAULT_QUEUE_LIMIT = 1024;
    public static final Duration DEFAULT_PRIORITY_HEAD_START = Duration.ofSeconds(30);
    public static final int DEFAULT_KV_GROWTH_TOKENS = 256;

    public static final SchedulerConfig DEFAULT = new SchedulerConfig(
            DEFAULT_MAX_BATCH_SIZE,
            DEFAULT_PREFILL_CHUNK_SIZE,
            DEFAULT_MIN_PREFILL_TOKENS,
            DEFAULT_DECODE_LATENCY_TARGET,
            DEFAULT_MAX_DECODE_SLOWDOWN,
            DEFAULT_MIN_PREFILL_SHARE,
            DEFAULT_MAX_STEP_TIME,
            DEFAULT_QUEUE_LIMIT,
            DEFAULT_PRIORITY_HEAD_START,
            DEFAULT_KV_GROWTH_TOKENS);

    public SchedulerConfig {
        atLeast(1, maxBatchSize, "maxBatchSize");
        atLeast(1, minPrefillTokens, "minPrefillTokens");
        atLeast(minPrefillTokens, prefillChunkSize, "prefillChunkSize");
        atLeast(0, queueLimit, "queueLimit");
        atLeast(1, kvGrowthTokens, "kvGrowthTokens");
        positive(decodeLatencyTarget, "decodeLatencyTarget");
        positive(maxStepTime, "maxStepTime");
        if (priorityHeadStart.isNegative()) {
            throw new IllegalArgumentException("priorityHeadStart must not be negative: " + priorityHeadStart);
        }
        if (!(minPrefillShare >= 0 && minPrefillShare < 1)) {
            throw new IllegalArgumentException("minPrefillShare must be in [0, 1): " + minPrefillShare);
        }
        if (!(maxDecodeSlowdown * (1 - minPrefillShare) >= 1)) {
            throw new IllegalArgumentException("maxDecodeSlowdown " + maxDecodeSlowdown
                    + " leaves no room for minPrefillShare " + minPrefillShare);
        }
    }

    /**
     * Time for prefill beside decoding that takes {@code decodeNanos} by itself: up to the latency target, but between
     * prefill's smallest share and decoding's largest slowdown.
     */
    long prefillNanos(long decodeNanos) {
        double least = decodeNanos / (1 - minPrefillShare);
        double most = decodeNanos * maxDecodeSlowdown;
        return Math.round(Math.clamp((double) decodeLatencyTarget.toNanos(), least, most)) - decodeNanos;
    }

    private static void atLeast(int least, int value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", not " + value);
        }
    }

    private static void positive(Duration value, String name) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + " must be positive, not " + value);
        }
    }
}
