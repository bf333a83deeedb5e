package dev.omlx.observe;

import dev.omlx.engine.api.InferenceEngine;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;

/** Shows operators how the engine is. Needs an {@link InferenceEngine} bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(HealthProperties.class)
@PropertySource("classpath:dev/omlx/observe/actuator.properties")
public final class ObserveConfiguration {
    @Bean
    HealthController healthController(InferenceEngine engine, HealthProperties properties) {
        return new HealthController(engine, properties);
    }

    @Bean
    SchedulerEndpoint schedulerEndpoint(InferenceEngine engine) {
        return new SchedulerEndpoint(engine);
    }

    // the health groups in actuator.properties know these two by their names without "HealthIndicator"

    @Bean
    HealthIndicator engineLivenessHealthIndicator(InferenceEngine engine, HealthProperties properties) {
        return EngineHealthIndicators.liveness(engine, properties);
    }

    @Bean
    HealthIndicator engineReadinessHealthIndicator(InferenceEngine engine, HealthProperties properties) {
        return EngineHealthIndicators.readiness(engine, properties);
    }
}
