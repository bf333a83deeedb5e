package dev.omlx.api.request;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.ModelDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the model that a request names. */
public final class ModelLookup {
    private final InferenceEngine engine;

    ModelLookup(InferenceEngine engine) {
        this.engine = engine;
    }

    /**
     * The model of that id or alias; the default model if {@code name} is null.
     *
     * @throws EngineException.ModelNotFound if there is none of that name
     * @throws EngineException.Unavailable if there is none at all yet
     */
    public ModelDescription find(@Nullable String name) {
        List<ModelDescription> models = engine.models();
        if (models.isEmpty()) {
            throw new EngineException.Unavailable("the server has no model yet");
        }
        return name == null
                ? models.getFirst()
                : engine.model(name).orElseThrow(() -> new EngineException.ModelNotFound(name));
    }
}
