package dev.omlx.api.openai.responses;

import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A valid request for a response.
 *
 * @param model the model that will answer
 * @param previous what it goes on from
 * @param input what is said now
 * @param stream send the response as it is generated
 */
record ResponseRequest(
        GenerationRequest generation,
        ModelDescription model,
        @Nullable Exchange previous,
        List<Item> input,
        Settings settings,
        boolean stream) {
    String id() {
        return generation.id();
    }
}
