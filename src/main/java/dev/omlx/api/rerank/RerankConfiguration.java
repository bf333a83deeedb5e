package dev.omlx.api.rerank;

import dev.omlx.api.request.RequestBodies;
import dev.omlx.engine.api.Reranker;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Serves ranking. */
@Configuration(proxyBeanMethods = false)
public final class RerankConfiguration {
    @Bean
    RerankController rerankController(ObjectProvider<Reranker> reranker, RequestBodies bodies) {
        return new RerankController(reranker.getIfAvailable(() -> Reranker.NONE), bodies);
    }
}
