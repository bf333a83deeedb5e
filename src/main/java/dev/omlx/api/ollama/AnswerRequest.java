package dev.omlx.api.ollama;

import dev.omlx.engine.api.GenerationRequest;
import org.jspecify.annotations.Nullable;

/**
 * A valid request for an answer.
 *
 * @param shape which endpoint's words the answer uses
 * @param model the model's name as the client wrote it, which it expects to see again
 * @param generation what is to be generated; null if nothing is, and the client only wants to have the model loaded
 * @param stream send the answer as it is generated
 */
record AnswerRequest(Shape shape, String model, @Nullable GenerationRequest generation, boolean stream) {
    /** The two endpoints. */
    enum Shape {
        CHAT,
        GENERATE
    }
}
