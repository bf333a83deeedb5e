package dev.omlx.api.openapi;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves the OpenAPI document. */
@Configuration(proxyBeanMethods = false)
public final class OpenApiConfiguration {
    @Bean
    OpenApiController openApiController() {
        return new OpenApiController();
    }
}
