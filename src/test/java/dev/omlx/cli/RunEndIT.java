package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.TestModels;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code run} in a process of its own, with an answer that would take minutes, and what ends it before. */
class RunEndIT {
    private static final int SECONDS_TO_END = 10;

    /** Runs what follows with signals that end it, even where this process was started to ignore them (nohup, {@code &}). */
    private static final List<String> HEEDING_SIGNALS =
            List.of("perl", "-e", "$SIG{$_} = 'DEFAULT' for qw(INT TERM HUP); exec @ARGV");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143", "HUP,129"})
    void aSignalEndsAnAnswer(String signal, int code) throws Exception {
        Process process = start();
        try {
            process.getInputStream().readNBytes(20);
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();

            assertThat(process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(code);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aReaderThatLeavesEndsTheAnswer() throws Exception {
        Process process = start();
        try {
            try (InputStream output = process.getInputStream()) {
                output.readNBytes(20);
            }

            assertThat(process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(Cli.FAILED);
            assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("cannot write to the output");
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start() throws IOException {
        List<String> command = new ArrayList<>(HEEDING_SIGNALS);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                System.getProperty("omlx.test.jar"),
                "run",
                TestModels.smollm2().toString(),
                "Write a long story about rivers.",
                "--temperature=0",
                "--omlx.home=" + folder));
        return new ProcessBuilder(command).start();
    }
}
