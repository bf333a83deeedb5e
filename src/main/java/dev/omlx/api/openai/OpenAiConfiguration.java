package dev.omlx.api.openai;

import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.engine.api.Embedder;
import dev.omlx.engine.api.InferenceEngine;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves the OpenAI dialect. */
@Configuration(proxyBeanMethods = false)
public final class OpenAiConfiguration {
    @Bean
    OpenAiErrors openAiErrors() {
        return new OpenAiErrors();
    }

    @Bean
    ChatCompletionsController chatCompletionsController(
            InferenceEngine engine, RequestBodies bodies, ModelLookup models, AnswerStreams streams) {
        return new ChatCompletionsController(engine, bodies, new ChatRequestReader(models), streams);
    }

    @Bean
    CompletionsController completionsController(
            InferenceEngine engine, RequestBodies bodies, ModelLookup models, AnswerStreams streams) {
        return new CompletionsController(engine, bodies, new CompletionRequestReader(models), streams);
    }

    @Bean
    EmbeddingsController embeddingsController(ObjectProvider<Embedder> embedder, RequestBodies bodies) {
        return new EmbeddingsController(embedder.getIfAvailable(() -> Embedder.NONE), bodies);
    }

    @Bean
    ModelsController modelsController(InferenceEngine engine) {
        return new ModelsController(engine);
    }
}
