package dev.omlx.observe;

import dev.omlx.engine.api.EngineStatus;
import dev.omlx.engine.api.EngineStatus.Phase;
import java.time.Duration;
import java.util.Locale;

/**
 * What a snapshot of the engine says about its health.
 *
 * @param heartbeatTimeout how long the engine may give no sign of life
 */
record EngineHealth(EngineStatus engine, Duration heartbeatTimeout) {
    /** Neither failed nor stuck; a restart would not help. */
    boolean isAlive() {
        return engine.phase() != Phase.FAILED && !isStuck();
    }

    /** Requests are served now. */
    boolean isReady() {
        return engine.phase() == Phase.READY && !isStuck();
    }

    /** One word for it. */
    String word() {
        if (isReady()) {
            return "ok";
        }
        return engine.phase() == Phase.READY ? "stuck" : engine.phase().name().toLowerCase(Locale.ROOT);
    }

    private boolean isStuck() {
        return engine.phase() != Phase.STOPPED && engine.sinceHeartbeat().compareTo(heartbeatTimeout) > 0;
    }
}
