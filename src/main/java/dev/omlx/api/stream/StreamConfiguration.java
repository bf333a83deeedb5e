package dev.omlx.api.stream;

import dev.omlx.api.ServerProperties;
import dev.omlx.api.error.Errors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Sends streamed answers for all dialects. */
@Configuration(proxyBeanMethods = false)
public final class StreamConfiguration {
    @Bean
    AnswerStreams answerStreams(ServerProperties properties, Errors errors) {
        return new AnswerStreams(new StreamResponses(properties), errors, properties.streamingInterval());
    }
}
