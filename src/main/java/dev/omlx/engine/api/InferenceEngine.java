package dev.omlx.engine.api;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Generates text with the models it holds. Safe for use from any thread; no method blocks its caller. */
public interface InferenceEngine {
    /**
     * Generates an answer. Nothing happens before subscription. The flux emits one {@link GenerationEvent.Started},
     * then deltas, one {@link GenerationEvent.ChoiceFinished} a choice, one {@link GenerationEvent.Completed}, and
     * completes; or it fails, at any point, with one {@link EngineException}. A request that cannot be served (unknown
     * model, prompt too long, queue full) fails before {@code Started}. Cancelling the subscription aborts the request
     * within one engine step.
     */
    Flux<GenerationEvent> generate(GenerationRequest request);

    /**
     * Counts the tokens of a prompt as {@link #generate} would, also of one that is too long for the model.
     *
     * @param model id or alias; null means the default model
     * @return the count, or one {@link EngineException} if it cannot be made
     */
    Mono<Integer> countTokens(@Nullable String model, Prompt prompt);

    /** The models that can be asked for, the default one first. */
    List<ModelDescription> models();

    /** The model of that id or alias. */
    default Optional<ModelDescription> model(String id) {
        return models().stream()
                .filter(model -> model.id().equals(id) || model.aliases().contains(id))
                .findFirst();
    }

    /** How the engine is doing now. */
    EngineStatus status();
}
