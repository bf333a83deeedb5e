package dev.omlx.api;

import dev.omlx.api.anthropic.AnthropicConfiguration;
import dev.omlx.api.error.ErrorConfiguration;
import dev.omlx.api.http.HttpConfiguration;
import dev.omlx.api.ollama.OllamaConfiguration;
import dev.omlx.api.openai.OpenAiConfiguration;
import dev.omlx.api.openai.responses.ResponsesConfiguration;
import dev.omlx.api.openapi.OpenApiConfiguration;
import dev.omlx.api.request.RequestConfiguration;
import dev.omlx.api.rerank.RerankConfiguration;
import dev.omlx.api.stream.StreamConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Serves the HTTP faces. Needs an {@link dev.omlx.engine.api.InferenceEngine} bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ServerProperties.class)
@Import({
    ErrorConfiguration.class,
    HttpConfiguration.class,
    AnthropicConfiguration.class,
    OllamaConfiguration.class,
    OpenAiConfiguration.class,
    OpenApiConfiguration.class,
    RequestConfiguration.class,
    RerankConfiguration.class,
    ResponsesConfiguration.class,
    StreamConfiguration.class
})
public final class ApiConfiguration {}
