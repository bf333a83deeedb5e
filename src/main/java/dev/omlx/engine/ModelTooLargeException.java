package dev.omlx.engine;

import dev.omlx.sched.Mebibytes;

/** A model does not fit below the memory ceiling. Found from its files' headers, before any weight is read. */
public final class ModelTooLargeException extends RuntimeException {
    /**
     * @param weightBytes of its weights in memory
     * @param workingBytes that it needs besides for the shortest answer
     * @param cacheBytes set aside for buffers that MLX keeps for later
     * @param ceilingBytes that MLX may hold, less than those three together
     */
    ModelTooLargeException(String model, long weightBytes, long workingBytes, long cacheBytes, long ceilingBytes) {
        super(describe(
                model,
                weightBytes,
                workingBytes,
                cacheBytes,
                ceilingBytes,
                new Mebibytes(weightBytes + workingBytes + cacheBytes, ceilingBytes)));
    }

    private static String describe(
            String model, long weights, long working, long cache, long ceiling, Mebibytes sizes) {
        return "the model '" + model + "' does not fit: it takes " + sizes.of(weights + working + cache) + " ("
                + sizes.of(weights) + " of weights, " + sizes.of(working) + " to work with and " + sizes.of(cache)
                + " for buffers that MLX keeps), but MLX may hold " + sizes.of(ceiling)
                + "; raise omlx.memory.max, or take a smaller model";
    }
}
