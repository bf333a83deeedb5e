package dev.omlx.cli;

import dev.omlx.engine.ModelProbe;
import java.nio.file.Path;

/** A model that can be asked for its numbers. The opener closes it. */
interface LogitsSource extends AutoCloseable {
    /**
     * What the model says of a prompt, and how it goes on.
     *
     * @param ids a prompt, at least one token
     * @param greedy how many tokens to go on for
     * @throws IllegalArgumentException if an id is not in the vocabulary
     */
    ModelProbe.Reading read(int[] ids, int greedy);

    @Override
    void close();

    /** Loads models. */
    @FunctionalInterface
    interface Opener {
        /**
         * Loads one.
         *
         * @param model a directory in safetensors layout, or a {@code .gguf} file
         */
        LogitsSource open(Path model);
    }
}
