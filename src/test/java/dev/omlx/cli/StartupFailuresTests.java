package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.config.MemoryProperties;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;

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

    @ParameterizedTest
    @CsvSource({
        "99999, must be a whole number from 0 to 65535",
        "-1,    must be a whole number from 0 to 65535",
        "http,  must be a whole number"
    })
    void saysWhatAPortIs(String port, String problem) {
        StartupException failure = fail(Server.class, WebApplicationType.REACTIVE, "--server.port=" + port);

        assertThat(failure).hasMessageContainingAll("server.port", "'" + port + "'", problem);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    @Test
    void saysWhatAnAddressIs() {
        assertThat(failure(Server.class, WebApplicationType.REACTIVE, "--server.address=no.such.host.invalid"))
                .startsWith("bad configuration: server.address = 'no.such.host.invalid' must be an address");
        assertThat(failure(Server.class, WebApplicationType.REACTIVE, "--server.address=192.0.2.1"))
                .startsWith("cannot listen on 192.0.2.1, port 0: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "omlx.server.max-body-size | big | must be a size such as 64KB or 32MB",
                "omlx.server.max-body-size | -1B | omlx.server.max-body-size is -1B, but must be above zero",
                "omlx.server.max-json-depth | 0 | must be greater than or equal to 1",
                "omlx.server.max-json-depth | 10001 | must be less than or equal to 10000",
                "omlx.server.max-json-depth | deep | must be a whole number from 1 to 10000",
                "omlx.server.allowed-hosts | mac.example.org,mac.example.org:8000 | must be a name without port",
                "omlx.server.allowed-hosts | http://mac.example.org | must be a name without port",
                "omlx.server.cors-origins | https://a.example.org,b.example.org | must be an origin such as https://",
                "omlx.server.cors-origins | https://a.example.org/path | must be an origin such as https://",
                "omlx.server.sse-keepalive-mode | bogus | must be chunk, comment or off",
                "omlx.server.read-timeout | soon | must be a duration such as 500ms, 30s or 5m",
                "omlx.auth.allow-unauthenticated | perhaps | must be true or false",
                "omlx.models.context-length | 99999999999 | must be a whole number from 2",
                "omlx.memory.memory-guard-tier | bogus | must be safe, balanced, aggressive or custom",
                "omlx.memory.max | lots | write a size such as 6GB or 512MB, or a share such as 80%",
                "omlx.sampling.temperature | hot | must be a number between 0 and 2",
                "omlx.sampling.temperature | 2.1 | must be between 0 and 2",
                "omlx.sampling.top-p | most | must be a number above 0 and at most 1",
                "omlx.sampling.top-p | 0 | must be above 0 and at most 1",
                "omlx.sampling.top-k | -1 | must be between 0 and 2147483647",
                "omlx.sampling.min-p | 1.1 | must be between 0 and 1",
                "omlx.sampling.repetition-penalty | 101 | must be between 0.01 and 100"
            })
    void saysWhatAKeyMayBeSetTo(String key, String value, String problem) {
        assertThat(failure(Settings.class, WebApplicationType.NONE, "--" + key + "=" + value))
                .startsWith("bad configuration: omlx.")
                .contains(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "omlx.server.allowed-hosts=*",
                "omlx.server.allowed-hosts=mac.example.org,10.0.0.7,::1,[fe80::1]",
                "omlx.server.cors-origins=*",
                "omlx.server.cors-origins=https://chat.example.org,http://localhost:*,*://*.example.org,app://chat"
            })
    void takesNamesAndOrigins(String setting) {
        new SpringLauncher(Settings.class, WebApplicationType.NONE, false)
                .start(List.of("--" + setting))
                .close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"temperature", "top-p", "min-p", "repetition-penalty"})
    void saysOnceWhatIsWrongWithANumberThatIsNone(String key) {
        assertThat(failure(Settings.class, WebApplicationType.NONE, "--omlx.sampling." + key + "=NaN"))
                .startsWith("bad configuration: omlx.sampling." + key + " = 'NaN' must be ")
                .doesNotContain(";");
    }

    @ParameterizedTest
    @MethodSource
    void explainsNonsenseForEveryKey(String key, String value) {
        StartupException failure = fail(Settings.class, WebApplicationType.NONE, "--" + key + "=" + value);

        assertThat(failure.getMessage())
                .startsWith("bad configuration: " + key + " = '" + value + "'")
                .doesNotContain("java.", "No enum constant", "For input string", "Exception", "null")
                .hasLineCount(1);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    /** Every key that does not take any text, with a value of no type, and every key but lists with none. */
    static List<Arguments> explainsNonsenseForEveryKey() {
        List<Arguments> cases = new ArrayList<>();
        ConfigurationKeys.ofClasspath().types().forEach((key, type) -> {
            if (!type.startsWith("java.util.List")) {
                cases.add(Arguments.of(key, ""));
            }
            if (!List.of("java.lang.String", "java.nio.file.Path").contains(type)
                    && !type.startsWith("java.util.List")) {
                cases.add(Arguments.of(key, "nonsense"));
            }
        });
        assertThat(cases).hasSizeGreaterThan(40);
        return cases;
    }

    @Test
    void tellsWhereAKeyWasSet(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yml"), "omlx:\n  scheduler:\n    queue-limit: many\n");

        assertThat(failure(Settings.class, WebApplicationType.NONE, "--spring.config.location=" + file.toUri()))
                .startsWith("bad configuration: omlx.scheduler.queue-limit = 'many' (")
                .contains("mine.yml", "3:18", "must be a whole number from 0");
    }

    @Test
    void takesSizesOfAnyKindOfFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yml"), "omlx:\n  memory:\n    max: 1000000000\n");

        try (var context = new SpringLauncher(Settings.class, WebApplicationType.NONE, false)
                .start(List.of("--spring.config.location=" + file.toUri()))) {
            assertThat(context.getBean(MemoryProperties.class).max()).hasToString("Bytes[bytes=1000000000]");
        }
    }

    @Test
    void passesOnWhyTheEngineDidNotStart(CapturedOutput output) {
        assertThat(failure(BrokenEngine.class, WebApplicationType.NONE))
                .startsWith("the model 'nonesuch' does not exist; 'omlx list'");
        assertThat(output).doesNotContain("BeanCreationException", "\tat ");
    }

    private static String failure(Class<?> configuration, WebApplicationType type, String... arguments) {
        return String.valueOf(fail(configuration, type, arguments).getMessage());
    }

    private static StartupException fail(Class<?> configuration, WebApplicationType type, String... arguments) {
        return catchThrowableOfType(
                StartupException.class,
                () -> new SpringLauncher(configuration, type, false)
                        .start(List.of(arguments))
                        .close());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Server {
        @Bean
        static ListenCheck listenCheck() {
            return new ListenCheck();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConfigurationPropertiesScan("dev.omlx")
    @ComponentScan(
            basePackageClasses = MemoryProperties.class,
            useDefaultFilters = false,
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = ConfigurationPropertiesBindHandlerAdvisor.class))
    static class Settings {}

    @Configuration(proxyBeanMethods = false)
    static class BrokenEngine {
        @Bean
        InferenceEngine engine() {
            throw new EngineException.ModelNotFound("nonesuch");
        }
    }
}
