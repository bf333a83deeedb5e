package dev.omlx.api.request;

import dev.omlx.api.ServerProperties;
import dev.omlx.engine.api.InferenceEngine;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reads request bodies for all dialects. */
@Configuration(proxyBeanMethods = false)
public final class RequestConfiguration {
    @Bean
    RequestBodies requestBodies(ServerProperties limits) {
        return new RequestBodies(limits, BodyBudget.ofHeap());
    }

    @Bean
    ModelLookup modelLookup(InferenceEngine engine) {
        return new ModelLookup(engine);
    }
}
