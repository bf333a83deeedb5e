package dev.omlx.observe;

import dev.omlx.engine.api.InferenceEngine;
import java.util.function.Predicate;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The engine's part in the Actuator's health. */
final class EngineHealthIndicators {
    private EngineHealthIndicators() {}

    static HealthIndicator liveness(InferenceEngine engine, HealthProperties properties) {
        return indicator(engine, properties, EngineHealth::isAlive);
    }

    static HealthIndicator readiness(InferenceEngine engine, HealthProperties properties) {
        return indicator(engine, properties, EngineHealth::isReady);
    }

    private static HealthIndicator indicator(
            InferenceEngine engine, HealthProperties properties, Predicate<EngineHealth> isWell) {
        return () -> {
            EngineHealth health = new EngineHealth(engine.status(), properties.heartbeatTimeout());
            Health.Builder report = isWell.test(health) ? Health.up() : Health.down();
            return report.withDetail("phase", health.engine().phase())
                    .withDetail("sinceHeartbeat", health.engine().sinceHeartbeat())
                    .build();
        };
    }
}
