package dev.omlx;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The benchmarks are run from source and belong to no build, but keep up with the code they measure. The clients use none
 * of it, but libraries of their own.
 */
class BenchSourcesTests {
    @Test
    void compile(@TempDir Path classes) throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("bench"))) {
            sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains(".venv"))
                    .filter(file -> !file.startsWith(Path.of("bench", "clients")))
                    .toList();
        }
        assertThat(sources).isNotEmpty();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            said,
                            manager,
                            null,
                            List.of("-proc:none", "-d", classes.toString()),
                            null,
                            manager.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
    }
}
