package dev.omlx.api.openai;

import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.ModelDescription;
import java.util.List;

/**
 * A valid request for a completion of one or more prompts.
 *
 * @param id names the answer
 * @param model the model that will answer
 * @param generations one a prompt, alike but for it
 * @param choices answers to return for each prompt
 * @param logprobs report log-probabilities
 * @param stream how to send the answer
 */
record CompletionRequest(
        String id,
        ModelDescription model,
        List<GenerationRequest> generations,
        int choices,
        boolean logprobs,
        StreamFields stream) {
    CompletionRequest {
        generations = List.copyOf(generations);
    }

    /** Answers that are generated for each prompt; the best ones are returned. */
    int candidates() {
        return generations.getFirst().output().choices();
    }

    boolean echo() {
        return generations.getFirst().output().echo();
    }

    /** What the choice is counted as among those of all prompts. */
    int index(int prompt, int choice) {
        return prompt * choices + choice;
    }
}
