package dev.omlx.api.sse;

import dev.omlx.api.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sends streamed answers for all dialects. */
@Configuration(proxyBeanMethods = false)
public final class SseConfiguration {
    @Bean
    SseResponses sseResponses(ServerProperties properties) {
        return new SseResponses(properties);
    }
}
