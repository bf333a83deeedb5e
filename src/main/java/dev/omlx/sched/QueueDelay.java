package dev.omlx.sched;

import java.time.Duration;

/** How long the queue takes, measured as waiting time for each place in it. */
final class QueueDelay {
    private static final double GAIN = 0.1;
    private static final Duration LEAST_RETRY = Duration.ofSeconds(1);
    private static final Duration MOST_RETRY = Duration.ofSeconds(60);

    private double nanosPerPlace;

    /** A sequence that was accepted with {@code places} before it started after {@code waitedNanos}. */
    void observe(int places, long waitedNanos) {
        nanosPerPlace += GAIN * (Math.max(0, waitedNanos) / (places + 1.0) - nanosPerPlace);
    }

    /** How long a newcomer will probably wait behind so many others. */
    Duration behind(int waiting) {
        return Duration.ofNanos(Math.round(waiting * nanosPerPlace));
    }

    /** When a newcomer that was refused should ask again. */
    Duration retryAfter(int waiting) {
        Duration delay = behind(waiting);
        return delay.compareTo(LEAST_RETRY) < 0 ? LEAST_RETRY : delay.compareTo(MOST_RETRY) > 0 ? MOST_RETRY : delay;
    }
}
