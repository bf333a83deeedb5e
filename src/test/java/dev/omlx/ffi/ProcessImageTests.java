package dev.omlx.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.testsupport.RandomNumbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisabledOnOs(OS.WINDOWS)
class ProcessImageTests {
    /** In which the JVM starts and the other program takes its place. */
    private static final int START_MILLIS = 400;

    /** Takes its own process's place. */
    static final class Replaced {
        public static void main(String[] args) {
            ProcessImage.replace(Path.of(args[0]), List.of(args).subList(1, args.length));
            System.out.println("came back");
        }
    }

    private static Process start(String... command) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder = new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Replaced.class.getName());
        builder.command().addAll(List.of(command));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @Test
    void theProgramGetsTheArgumentsAndTheProcessItsEnd() throws Exception {
        Process process = start("/bin/sh", "-c", "echo \"$0 $1\"; exit 7", "a b", "c");

        assertThat(process.inputReader().readLine()).isEqualTo("a b c");
        assertThat(process.waitFor()).isEqualTo(7);
    }

    @Test
    void comesBackWhereThereIsNoSuchProgram() throws Exception {
        Process process = start("/nowhere/none");

        assertThat(process.inputReader().readLine()).isEqualTo("came back");
        assertThat(process.waitFor()).isZero();
    }

    /** The process of a program that has no handlers of its own ends, or the JVM did before. */
    @RepeatedTest(8)
    void noSignalIsLostOnTheWay() throws Exception {
        Random random = RandomNumbers.seeded();
        Process process = start("/bin/sleep", "60");
        Thread.sleep(random.nextInt(START_MILLIS));

        process.destroy();

        boolean ended = process.waitFor(10, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).isTrue();
        // a JVM that is asked to end while it starts may call that a failure
        assertThat(process.exitValue()).isIn(128 + 15, 1);
    }
}
