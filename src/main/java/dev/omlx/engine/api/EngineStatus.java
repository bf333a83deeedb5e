package dev.omlx.engine.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the engine.
 *
 * @param phase where it is in its life
 * @param failure why it is {@link Phase#FAILED}, else null
 * @param running requests that have KV cache now
 * @param waiting requests that were accepted and wait for room
 * @param sinceHeartbeat time since the engine thread last showed that it lives; it does so at each step, and a few
 *     times a second when idle
 */
public record EngineStatus(Phase phase, @Nullable String failure, int running, int waiting, Duration sinceHeartbeat) {
    /** The engine's life, in order. */
    public enum Phase {
        STARTING,
        READY,
        DRAINING,
        STOPPED,
        FAILED
    }
}
