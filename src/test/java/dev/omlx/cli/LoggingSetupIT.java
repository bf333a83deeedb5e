package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.cli.JarRuns.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of the logging, which is one for a whole process, that cannot be used. */
class LoggingSetupIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "logging.structured.format.console | LOUD | common formats: [ecs, gelf, logstash]",
                "logging.config | /no/such.xml | /no/such.xml (No such file or directory)",
                "logging.charset.console | nonsense | must be a character set such as UTF-8",
                "logging.pattern.console | %nonsense{ | expecting",
                "logging.pattern.console | %nope%n | no conversion supplier registered for conversion word [nope]",
                "logging.pattern.dateformat | bogus | Unknown pattern letter: b",
                "logging.level.root | LOUD | must be trace, debug, info, warn, error, fatal or off"
            })
    void tellsInOneLineWhatCannotBeUsed(String key, String value, String problem) throws Exception {
        expectRefusal(key, value, problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "logging.logback.rollingpolicy.max-history | abc | must be a whole number",
                "logging.logback.rollingpolicy.max-file-size | big | must be a size such as 64KB or 32MB",
                "logging.charset.file | nonsense | must be a character set such as UTF-8"
            })
    void tellsInOneLineWhatIsWrongWithALogFile(String key, String value, String problem) throws Exception {
        expectRefusal(key, value, problem, "--logging.file.name=" + folder.resolve("log"));
    }

    @Test
    void tellsInOneLineThatTheLogCannotBeWritten() throws Exception {
        Path below = Files.writeString(folder.resolve("file"), "").resolve("log");

        expectRefusal("logging.file.name", below.toString(), "");
    }

    private void expectRefusal(String key, String value, String problem, String... others) throws Exception {
        List<String> command = new ArrayList<>(List.of("serve", "--" + key + "=" + value));
        command.addAll(List.of(others));
        Ended ended = new JarRuns(folder).omlx("", command);

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .startsWith("omlx: bad configuration: " + key + " = '" + value + "'")
                .contains(problem)
                .doesNotContain("Exception", "java.", "org.spring", "ch.qos")
                .hasLineCount(1);
    }
}
