package dev.omlx.text.jinja;

import java.time.Clock;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * How one rendering is bounded and what time it sees.
 *
 * @param clock the source of {@code strftime_now}; its zone decides the local time
 * @param fixedNow what {@code strftime_now} returns whatever its format, or null to format the clock's time
 * @param maxSteps most operations one rendering may take; copying text or lists costs steps in proportion
 * @param maxLength most UTF-16 units of the rendered text, and of any text made on the way
 */
public record RenderOptions(Clock clock, @Nullable String fixedNow, long maxSteps, int maxLength) {

    /** Enough for conversations of several million tokens; an endless template stops within about a second. */
    private static final long DEFAULT_MAX_STEPS = 25_000_000;

    private static final int DEFAULT_MAX_LENGTH = 16 * 1024 * 1024;

    /**
     * @throws IllegalArgumentException when a limit is not positive
     */
    public RenderOptions {
        if (maxSteps <= 0 || maxLength <= 0) {
            throw new IllegalArgumentException("Template limits must be positive, but are " + maxSteps + " steps and "
                    + maxLength + " characters");
        }
    }

    /** The system clock in the local zone and the default limits. */
    public static RenderOptions defaults() {
        return new RenderOptions(Clock.system(ZoneId.systemDefault()), null, DEFAULT_MAX_STEPS, DEFAULT_MAX_LENGTH);
    }

    /** The same with another clock. */
    public RenderOptions withClock(Clock newClock) {
        return new RenderOptions(newClock, fixedNow, maxSteps, maxLength);
    }

    /** The same with {@code strftime_now} returning this text. */
    public RenderOptions withFixedNow(String text) {
        return new RenderOptions(clock, text, maxSteps, maxLength);
    }

    /** The same with other limits. */
    public RenderOptions withLimits(long newMaxSteps, int newMaxLength) {
        return new RenderOptions(clock, fixedNow, newMaxSteps, newMaxLength);
    }
}
