package dev.omlx.engine.api;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Turns texts into vectors with the embedding models it holds. Safe for use from any thread; never blocks its caller. */
@FunctionalInterface
public interface Embedder {
    /** Holds no model. */
    Embedder NONE = (model, inputs) -> Mono.error(EngineException.ModelNotFound.forPurpose(model, "embeds texts"));

    /**
     * Embeds texts.
     *
     * @param model id or alias; null means the default embedding model
     * @param inputs texts or tokens, at least one
     * @return the vectors, or one {@link EngineException}
     */
    Mono<Embeddings> embed(@Nullable String model, List<Prompt> inputs);

    /**
     * What became of texts.
     *
     * @param model id of the model
     * @param vectors one a text, in their order, all of the same length
     * @param promptTokens tokens of all texts together
     */
    record Embeddings(String model, List<float[]> vectors, int promptTokens) {
        public Embeddings {
            vectors = List.copyOf(vectors);
        }
    }
}
