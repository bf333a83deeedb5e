package dev.omlx.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where a model is.
 *
 * @param id what its users call it
 * @param path a directory in safetensors layout, or a {@code .gguf} file
 */
public record ModelLocation(String id, Path path) {
    /** {@code safetensors} or {@code gguf}. */
    public String layout() {
        return Files.isDirectory(path) ? "safetensors" : "gguf";
    }

    /** Size of its files. */
    public long bytes() {
        try {
            return Files.isDirectory(path) ? bytesIn(path) : Files.size(path);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long bytesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            long total = 0;
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                total += Files.size(file);
            }
            return total;
        }
    }
}
