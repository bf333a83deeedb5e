package dev.omlx.engine.api;

import org.jspecify.annotations.Nullable;

/**
 * One request to generate.
 *
 * @param id the caller's name for it, unique while it runs; shown in logs and events
 * @param model id or alias of the model; null means the default model
 * @param prompt what to continue
 * @param sampling how tokens are chosen
 * @param stop when to end
 * @param output what to report
 * @param priority how urgent it is
 */
public record GenerationRequest(
        String id,
        @Nullable String model,
        Prompt prompt,
        SamplingOptions sampling,
        StopConditions stop,
        OutputOptions output,
        Priority priority) {

    /** A request as urgent as any other. */
    public GenerationRequest(
            String id,
            @Nullable String model,
            Prompt prompt,
            SamplingOptions sampling,
            StopConditions stop,
            OutputOptions output) {
        this(id, model, prompt, sampling, stop, output, Priority.NORMAL);
    }

    /** A request for the default model with default options. */
    public static GenerationRequest of(String id, Prompt prompt) {
        return new GenerationRequest(
                id, null, prompt, SamplingOptions.DEFAULT, StopConditions.NONE, OutputOptions.DEFAULT);
    }
}
