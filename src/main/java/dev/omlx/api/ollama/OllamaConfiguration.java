package dev.omlx.api.ollama;

import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.engine.api.Embedder;
import dev.omlx.engine.api.InferenceEngine;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves the Ollama dialect. */
@Configuration(proxyBeanMethods = false)
public final class OllamaConfiguration {
    @Bean
    OllamaErrors ollamaErrors() {
        return new OllamaErrors();
    }

    @Bean
    AnswerController ollamaAnswerController(
            InferenceEngine engine, RequestBodies bodies, ModelLookup models, AnswerStreams streams) {
        return new AnswerController(engine, bodies, new AnswerRequestReader(models), streams);
    }

    @Bean
    EmbedController ollamaEmbedController(ObjectProvider<Embedder> embedder, RequestBodies bodies) {
        return new EmbedController(embedder.getIfAvailable(() -> Embedder.NONE), bodies);
    }

    @Bean
    ModelsController ollamaModelsController(InferenceEngine engine, RequestBodies bodies, ModelLookup models) {
        return new ModelsController(engine, bodies, models);
    }
}
