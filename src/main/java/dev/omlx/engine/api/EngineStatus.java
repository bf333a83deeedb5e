package dev.omlx.engine.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the engine.
 *
 * @param phase where it is in its life
 * @param failure why it is {@link Phase#FAILED}, else null
 * @param running sequences that have KV cache now; a request is one for each of its choices
 * @param waiting sequences that were accepted and wait for room
 * @param memory what they and the model hold
 * @param sinceHeartbeat time since the engine thread last showed that it lives; it does so at each step, and a few
 *     times a second when idle
 */
public record EngineStatus(
        Phase phase, @Nullable String failure, int running, int waiting, Memory memory, Duration sinceHeartbeat) {
    /**
     * Memory of the device, in bytes.
     *
     * @param activeBytes held by tensors, the model's weights included
     * @param kvReservedBytes set aside for the KV cache of running sequences
     * @param kvBudgetBytes that may be set aside now
     * @param liveTensors handles that this process owns; constant when idle
     */
    public record Memory(long activeBytes, long kvReservedBytes, long kvBudgetBytes, long liveTensors) {
        /** As long as no model is there. */
        public static final Memory NONE = new Memory(0, 0, 0, 0);
    }

    /** The engine's life, in order. */
    public enum Phase {
        STARTING,
        READY,
        DRAINING,
        STOPPED,
        FAILED
    }
}
