package dev.omlx.api.openai;

import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;

/**
 * A valid request for a chat completion.
 *
 * @param model the model that will answer
 * @param stream send the answer as it is generated
 * @param includeUsage end the stream with a chunk that counts tokens
 */
record ChatCompletionRequest(
        GenerationRequest generation, ModelDescription model, boolean stream, boolean includeUsage) {
    int choices() {
        return generation.output().choices();
    }

    boolean logprobs() {
        return generation.output().logprobs();
    }
}
