package dev.omlx.engine.api;

import java.time.Duration;

/**
 * Where a request's time went.
 *
 * @param queued from acceptance to its first step
 * @param timeToFirstToken from acceptance to the first token
 * @param total from acceptance to the end
 */
public record Timings(Duration queued, Duration timeToFirstToken, Duration total) {
    /** Time from the first token to the end. */
    public Duration decode() {
        return total.minus(timeToFirstToken);
    }

    /** Tokens per second after the first one; 0 where there were fewer than two. */
    public double decodeRate(int completionTokens) {
        double seconds = decode().toNanos() / 1e9;
        return completionTokens < 2 || seconds <= 0 ? 0 : (completionTokens - 1) / seconds;
    }
}
