package dev.omlx.engine.api;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Tells how well documents answer a query, with the models it holds. Safe for use from any thread; never blocks its caller. */
@FunctionalInterface
public interface Reranker {
    /** Holds no model. */
    Reranker NONE =
            (model, query, documents) -> Mono.error(EngineException.ModelNotFound.forPurpose(model, "ranks documents"));

    /**
     * Scores documents.
     *
     * @param model id or alias; null means the default model for it
     * @param documents at least one
     * @return the scores, or one {@link EngineException}
     */
    Mono<Scores> rank(@Nullable String model, String query, List<String> documents);

    /**
     * How well the documents answer.
     *
     * @param model id of the model
     * @param scores one a document, in their order; higher is better
     * @param promptTokens tokens of query and documents together
     */
    record Scores(String model, List<Float> scores, int promptTokens) {
        public Scores {
            scores = List.copyOf(scores);
        }
    }
}
