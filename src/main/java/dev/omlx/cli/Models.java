package dev.omlx.cli;

import java.nio.file.Path;

/** Finds models by what they are called on the command line. */
@FunctionalInterface
interface Models {
    /**
     * The files of that model.
     *
     * @param name an id, a directory, or a {@code .gguf} file
     * @return a directory in safetensors layout, or a {@code .gguf} file
     * @throws dev.omlx.engine.api.EngineException.ModelNotFound if there is none
     */
    Path find(String name);
}
