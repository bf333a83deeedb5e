package dev.omlx.observe;

import dev.omlx.engine.api.InferenceEngine;
import java.util.function.Function;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/** The engine's part in the Actuator's health. */
final class EngineHealthIndicators {
    private EngineHealthIndicators() {}

    static HealthIndicator liveness(InferenceEngine engine, HealthProperties properties) {
        return indicator(engine, properties, health -> health.isAlive() ? Status.UP : Status.DOWN);
    }

    /** An engine that starts or drains is out of service and well. */
    static HealthIndicator readiness(InferenceEngine engine, HealthProperties properties) {
        return indicator(
                engine,
                properties,
                health -> health.isReady() ? Status.UP : health.isAlive() ? Status.OUT_OF_SERVICE : Status.DOWN);
    }

    private static HealthIndicator indicator(
            InferenceEngine engine, HealthProperties properties, Function<EngineHealth, Status> status) {
        return () -> {
            EngineHealth health = new EngineHealth(engine.status(), properties.heartbeatTimeout());
            return Health.status(status.apply(health))
                    .withDetail("phase", health.engine().phase())
                    .withDetail("sinceHeartbeat", health.engine().sinceHeartbeat())
                    .build();
        };
    }
}
