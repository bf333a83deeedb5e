package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class ServeCommandTests {
    private final ServeCommand command = new ServeCommand();

    @Test
    void translatesItsOptionsToSpringsKeys() {
        new CommandLine(command).parseArgs("--model", "dir/m.gguf", "--host=::1", "--port", "0");

        assertThat(command.springArguments())
                .containsExactly("--omlx.models.default-model=dir/m.gguf", "--server.address=::1", "--server.port=0");
    }

    @Test
    void passesKeysOfTheConfigurationOn() {
        new CommandLine(command).parseArgs("--omlx.server.max-body-size=1MB", "--logging.level.root=warn");

        assertThat(command.springArguments())
                .containsExactly("--omlx.server.max-body-size=1MB", "--logging.level.root=warn");
    }

    @Test
    void leavesToTheConfigurationWhatIsNotGiven() {
        new CommandLine(command).parseArgs();

        assertThat(command.springArguments()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--port=1,                          --server.port=2",
        "--model=a,                         --omlx.models.default-model=b",
        "--omlx.scheduler.queue-limit=1,    --omlx.scheduler.queueLimit=2",
        "--omlx.server.cors-origins=a,      --omlx.server.cors-origins=b"
    })
    void takesEachSettingOnce(String one, String other) {
        new CommandLine(command).parseArgs(one, other);

        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(command::springArguments)
                .withMessageContaining(name(one));
    }

    private static String name(String option) {
        return "'" + option.replaceFirst("=.*", "") + "'";
    }
}
