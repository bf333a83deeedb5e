package dev.omlx.api.anthropic;

import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.engine.api.InferenceEngine;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves the Anthropic dialect. */
@Configuration(proxyBeanMethods = false)
public final class AnthropicConfiguration {
    @Bean
    AnthropicErrors anthropicErrors() {
        return new AnthropicErrors();
    }

    @Bean
    MessagesController messagesController(
            InferenceEngine engine, RequestBodies bodies, ModelLookup models, AnswerStreams streams) {
        return new MessagesController(engine, bodies, new MessagesRequestReader(models), streams);
    }

    @Bean
    AnthropicModelsController anthropicModelsController(InferenceEngine engine) {
        return new AnthropicModelsController(engine);
    }
}
