package dev.omlx.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed bindings are what the generator makes of mlx-c's headers and the symbol list. */
class BindingsTests {

    private static final Path HEADERS = Path.of("native-lib/build/include/mlx/c");
    private static final Path COMMITTED = Path.of("src/main/java/dev/omlx/ffi/gen");

    @TempDir
    Path fresh;

    @Test
    void committedBindingsAreUpToDate() throws Exception {
        assertThat(HEADERS).as("mlx-c's headers; run native-lib/build.sh").isDirectory();

        generate("native-lib/symbols.txt");

        Map<String, String> committed = sources(COMMITTED);
        committed.remove("package-info.java");
        assertThat(committed)
                .as("run the generator as native-lib/README.md says")
                .isEqualTo(sources(fresh));
    }

    @Test
    void unknownSymbolsStopTheGenerator() throws Exception {
        Path symbols = Files.writeString(fresh.resolve("symbols.txt"), "mlx_add\nmlx_no_such_function\n");

        assertThat(run(symbols.toString())).contains("mlx_no_such_function").contains("in no header");
    }

    private void generate(String symbols) throws Exception {
        assertThat(run(symbols)).isEmpty();
    }

    private String run(String symbols) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "native-lib/bindgen/BindingGenerator.java",
                        HEADERS.toString(),
                        symbols,
                        fresh.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    private static Map<String, String> sources(Path folder) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                sources.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return sources;
    }
}
