package dev.omlx.api.sse;

import dev.omlx.api.ServerProperties;
import dev.omlx.api.error.Errors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sends streamed answers for all dialects. */
@Configuration(proxyBeanMethods = false)
public final class SseConfiguration {
    @Bean
    AnswerStreams answerStreams(ServerProperties properties, Errors errors) {
        return new AnswerStreams(new SseResponses(properties), errors, properties.streamingInterval());
    }
}
