package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.config.OmlxHome;
import dev.omlx.ffi.NativeSearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DoctorCommandTests {
    @TempDir
    private Path folder;

    @Test
    void showsEachCheckOnALineAndFailsIfOneDoes() {
        CommandRun run = new CommandRun("");

        int code =
                execute(run, HealthCheck.ok("a", "fine"), HealthCheck.warn("b", "slow"), HealthCheck.fail("c", "no"));

        assertThat(code).isEqualTo(1);
        assertThat(run.out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("ok ").endsWith("fine"),
                        line -> assertThat(line).startsWith("warn ").endsWith("slow"),
                        line -> assertThat(line).startsWith("fail ").endsWith("no"));
    }

    @Test
    void aWarningIsNoFailure() {
        assertThat(execute(new CommandRun(""), HealthCheck.warn("b", "slow"))).isZero();
    }

    @Test
    void tellsWhereTheLibraryWasExpected() {
        Path library = folder.resolve("lib");
        List<HealthCheck> checks = checks(library);

        assertThat(checks).anySatisfy(check -> {
            assertThat(check.level()).isEqualTo(HealthCheck.Level.FAIL);
            assertThat(check.text()).contains(library.toString());
        });
    }

    @Test
    void listsTheModels() throws Exception {
        Files.createDirectories(folder.resolve("models/owner/tiny"));
        Files.writeString(folder.resolve("models/owner/tiny/config.json"), "{}");

        assertThat(checks(folder))
                .contains(HealthCheck.ok("models", "owner/tiny"))
                .anySatisfy(check -> assertThat(check.name()).isEqualTo("disk"));
    }

    private List<HealthCheck> checks(Path library) {
        return new HealthChecks(new OmlxHome(folder), new NativeSearch(library, folder, folder)).all();
    }

    private static int execute(CommandRun run, HealthCheck... checks) {
        DoctorCommand command = new DoctorCommand(run.streams(), () -> List.of(checks));
        return Cli.prepare(new CommandLine(command), run.streams()).execute();
    }
}
