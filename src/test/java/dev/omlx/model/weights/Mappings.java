package dev.omlx.model.weights;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Which files this process has mapped into memory, where the operating system tells. */
final class Mappings {
    private static final Path MAPS = Path.of("/proc/self/maps");

    private Mappings() {}

    static void requireNone(Path fileOrDirectory) {
        assertThat(of(fileOrDirectory)).as("mappings of " + fileOrDirectory).isEmpty();
    }

    static List<String> of(Path fileOrDirectory) {
        if (!Files.exists(MAPS)) {
            return List.of();
        }
        try {
            String path = fileOrDirectory.toRealPath().toString();
            return Files.readAllLines(MAPS).stream()
                    .filter(line -> line.contains(path))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
