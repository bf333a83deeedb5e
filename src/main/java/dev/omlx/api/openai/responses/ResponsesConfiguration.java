package dev.omlx.api.openai.responses;

import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.engine.api.InferenceEngine;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves OpenAI's responses. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ResponsesProperties.class)
public final class ResponsesConfiguration {
    @Bean
    ResponseStore responseStore(ResponsesProperties properties) {
        return new ResponseStore(
                properties.maxStored(), properties.maxStoredSize().toBytes());
    }

    @Bean
    ResponsesController responsesController(
            InferenceEngine engine,
            RequestBodies bodies,
            ModelLookup models,
            ResponseStore store,
            AnswerStreams streams) {
        return new ResponsesController(engine, bodies, new ResponseRequestReader(models, store), store, streams);
    }

    @Bean
    StoredResponsesController storedResponsesController(ResponseStore store) {
        return new StoredResponsesController(store);
    }
}
