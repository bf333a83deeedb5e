package dev.omlx.security;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How much the holders of keys may ask for, each on its own. Safe from any thread; no method waits. */
public final class KeyLimits {
    /** When to come back if nobody knows when a request under way will end. */
    private static final Duration WHEN_BUSY = Duration.ofSeconds(1);

    private final @Nullable Integer requestsPerMinute;
    private final @Nullable Integer concurrentRequests;
    private final LongSupplier nanoClock;
    private final Map<ApiKey, Account> accounts = new ConcurrentHashMap<>();

    /**
     * Limits that hold for each key.
     *
     * @param requestsPerMinute that may begin, null for any number; as many may come at once after a pause
     * @param concurrentRequests that may be under way, null for any number
     */
    public KeyLimits(@Nullable Integer requestsPerMinute, @Nullable Integer concurrentRequests) {
        this(requestsPerMinute, concurrentRequests, System::nanoTime);
    }

    KeyLimits(@Nullable Integer requestsPerMinute, @Nullable Integer concurrentRequests, LongSupplier nanoClock) {
        this.requestsPerMinute = requestsPerMinute;
        this.concurrentRequests = concurrentRequests;
        this.nanoClock = nanoClock;
    }

    /** What becomes of a request. */
    public sealed interface Decision {
        /** It may begin; to be closed when it is over. A second call does nothing. */
        final class Granted implements Decision, AutoCloseable {
            private final Runnable end;
            private final AtomicBoolean open = new AtomicBoolean(true);

            private Granted(Runnable end) {
                this.end = end;
            }

            @Override
            public void close() {
                if (open.compareAndSet(true, false)) {
                    end.run();
                }
            }
        }

        /**
         * It may not.
         *
         * @param reason for people
         * @param retryAfter when it may
         */
        record Refused(String reason, Duration retryAfter) implements Decision {}
    }

    /** Asks for a request to begin now. */
    public Decision ask(ApiKey key) {
        return accounts.computeIfAbsent(key, first -> new Account()).ask();
    }

    /** What one key has used: a bucket that fills with time, and requests under way. */
    private final class Account {
        private double allowed = requestsPerMinute == null ? 0 : requestsPerMinute;
        private long filled = nanoClock.getAsLong();
        private int underWay;

        synchronized Decision ask() {
            if (concurrentRequests != null && underWay >= concurrentRequests) {
                return new Decision.Refused(
                        "this API key has %d requests under way already, as many as it may".formatted(underWay),
                        WHEN_BUSY);
            }
            if (requestsPerMinute != null) {
                fill(requestsPerMinute);
                if (allowed < 1) {
                    return new Decision.Refused(
                            "this API key may make %d requests a minute".formatted(requestsPerMinute),
                            nanos((1 - allowed) / requestsPerMinute));
                }
                allowed--;
            }
            underWay++;
            return new Decision.Granted(this::end);
        }

        private void fill(int perMinute) {
            long now = nanoClock.getAsLong();
            double minutes = (now - filled) / (double) Duration.ofMinutes(1).toNanos();
            allowed = Math.min(perMinute, allowed + minutes * perMinute);
            filled = now;
        }

        private synchronized void end() {
            underWay--;
        }

        private static Duration nanos(double minutes) {
            return Duration.ofNanos(
                    (long) Math.ceil(minutes * Duration.ofMinutes(1).toNanos()));
        }
    }
}
