package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.config.OmlxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ListCommandTests {
    @TempDir
    private Path home;

    private final CommandRun run = new CommandRun("");

    @Test
    void showsIdLayoutAndSize() throws IOException {
        write("models/small/model.gguf", 1500);
        write("models/owner/name/config.json", 2);
        write("models/owner/name/model.safetensors", 99_998);

        assertThat(execute()).isZero();
        assertThat(run.out().lines())
                .containsExactly("owner/name  safetensors  100 kB", "small       gguf         1.5 kB");
    }

    @Test
    void saysWhereItFoundNone() {
        assertThat(execute()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(home.resolve("models").toString()).hasLineCount(1);
    }

    private void write(String name, int bytes) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[bytes]);
    }

    private int execute() {
        return Cli.prepare(new CommandLine(new ListCommand(run.streams(), () -> new OmlxHome(home))), run.streams())
                .execute();
    }
}
