package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.omlx.api.ServerProperties;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.InferenceEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class StartupFailuresTests {
    @Test
    void saysThatThePortIsTaken(CapturedOutput output) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String message = failure(
                    Server.class,
                    WebApplicationType.REACTIVE,
                    "--server.address=127.0.0.1",
                    "--server.port=" + taken.getLocalPort());

            assertThat(message).contains("port " + taken.getLocalPort() + " is already in use", "--port");
        }
        assertThat(output).doesNotContain("APPLICATION FAILED", "Exception", "\tat ");
    }

    @Test
    void namesTheKeyThatCannotBeRead() {
        assertThat(failure(Settings.class, WebApplicationType.NONE, "--omlx.server.max-body-size=big"))
                .startsWith("bad configuration: omlx.server.max-body-size = 'big'")
                .contains("data size");
    }

    @Test
    void namesTheKeyThatIsOutOfRange() {
        assertThat(failure(Settings.class, WebApplicationType.NONE, "--omlx.server.max-json-depth=0"))
                .isEqualTo("bad configuration: omlx.server.max-json-depth = '0' must be greater than or equal to 1");
    }

    @Test
    void passesOnWhyTheEngineDidNotStart(CapturedOutput output) {
        assertThat(failure(BrokenEngine.class, WebApplicationType.NONE))
                .startsWith("the model 'nonesuch' does not exist; 'omlx list'");
        assertThat(output).doesNotContain("BeanCreationException", "\tat ");
    }

    private static String failure(Class<?> configuration, WebApplicationType type, String... arguments) {
        List<String> quiet = new ArrayList<>(List.of(arguments));
        StartupException failure = catchThrowableOfType(
                StartupException.class,
                () -> new SpringLauncher(configuration, type, false)
                        .start(quiet)
                        .close());
        return String.valueOf(failure.getMessage());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Server {}

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(ServerProperties.class)
    static class Settings {}

    @Configuration(proxyBeanMethods = false)
    static class BrokenEngine {
        @Bean
        InferenceEngine engine() {
            throw new EngineException.ModelNotFound("nonesuch");
        }
    }
}
