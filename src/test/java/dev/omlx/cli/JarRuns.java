package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The executable jar's commands as a shell runs them, in a folder of their own that is their home too. */
final class JarRuns {
    static final Path JAR = Path.of(System.getProperty("omlx.test.jar"));

    private final Path folder;

    JarRuns(Path folder) {
        this.folder = folder;
    }

    /** How it ended, and what it wrote. */
    record Ended(int code, String out, String err) {}

    Ended omlx(String input, List<String> arguments) throws IOException, InterruptedException {
        return run(input, List.of(), arguments);
    }

    /** @param script a shell's; the command is its arguments */
    Ended inShell(String script, List<String> arguments) throws IOException, InterruptedException {
        return run("", List.of("sh", "-c", script, "sh"), arguments);
    }

    private Ended run(String input, List<String> prefix, List<String> arguments)
            throws IOException, InterruptedException {
        Path in = Files.writeString(folder.resolve("in"), input);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", JAR.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        if (Files.exists(folder.resolve("application.yml"))) {
            builder.directory(folder.toFile());
        } else {
            builder.environment().put("OMLX_HOME", folder.toString());
        }
        Process process = builder.start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
