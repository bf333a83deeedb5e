package dev.omlx.engine;

import java.nio.file.Path;

/**
 * Where a model is.
 *
 * @param id what its users call it
 * @param path a directory in safetensors layout, or a {@code .gguf} file
 */
public record ModelLocation(String id, Path path) {}
