package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

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
}
