package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.config.MemoryProperties;
import dev.omlx.engine.config.OmlxProperties;
import dev.omlx.engine.config.SchedulerProperties;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
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
                "omlx.server.read-timeout | soon | must be a duration such as 500ms, 30s or 5m, up to 365d",
                "omlx.auth.allow-unauthenticated | perhaps | must be true or false",
                "omlx.scheduler.max-batch-size | 2000000000 | must be less than or equal to 4096",
                "omlx.scheduler.prefill-chunk-size | 2000000000 | must be less than or equal to 1000000",
                "omlx.scheduler.queue-limit | 2147483647 | must be less than or equal to 1000000",
                "omlx.models.context-length | 99999999999 | must be a whole number from 2",
                "omlx.memory.memory-guard-tier | bogus | must be safe, balanced, aggressive or custom",
                "omlx.memory.max | lots | write a size such as 6GB or 512MB, or a share such as 80%",
                "omlx.memory.max | 101% | a share such as 80%, at most 100%",
                "omlx.scheduler.decode-latency-target | 0ms | target = '0ms' must be at least 1ms",
                "omlx.scheduler.drain-timeout | -1s | drain-timeout = '-1s' must be at least 0ms",
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
                .startsWith("bad configuration: " + key + (ShownSetting.isSecret(key) ? "" : " = '" + value + "'"))
                .doesNotContain("java.", "No enum constant", "For input string", "Exception", "null")
                .hasLineCount(1);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    /** Every key that does not take any text, with a value of no type, and every key that may not be empty with none. */
    static List<Arguments> explainsNonsenseForEveryKey() {
        List<Arguments> cases = new ArrayList<>();
        ConfigurationKeys.ofClasspath().types().forEach((key, type) -> {
            if (!key.equals("omlx.server.cors-origins")) {
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

    @ParameterizedTest
    @MethodSource
    void boundsEveryDuration(String key, String value) {
        StartupException failure = fail(Settings.class, WebApplicationType.NONE, "--" + key + "=" + value);

        assertThat(failure)
                .hasMessageStartingWith("bad configuration: " + key + " = '" + value + "' must be ")
                .hasMessageEndingWith("up to 365d");
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    static List<Arguments> boundsEveryDuration() {
        List<String> values = List.of("366d", "99999999999999d", "99999999999999999999d");
        List<Arguments> cases = keys(type -> type.equals("java.time.Duration"))
                .flatMap(key -> values.stream().map(value -> Arguments.of(key, value)))
                .toList();
        assertThat(cases).hasSizeGreaterThanOrEqualTo(24);
        return cases;
    }

    @Test
    void takesTheLongestDuration() {
        List<String> longest = keys(type -> type.equals("java.time.Duration"))
                .map(key -> "--" + key + "=365d")
                .toList();

        new SpringLauncher(Settings.class, WebApplicationType.NONE, false)
                .start(longest)
                .close();
    }

    @ParameterizedTest
    @MethodSource
    void refusesOtherShapesForEveryKey(String key, String yaml, @TempDir Path folder) throws IOException {
        StartupException failure = failWith(Files.writeString(folder.resolve("mine.yml"), key + ": " + yaml));

        assertThat(failure)
                .hasMessageStartingWith("bad configuration: " + key)
                .hasMessageContaining("mine.yml")
                .hasMessageNotContainingAny("Exception", "null");
        assertThat(failure.getMessage()).hasLineCount(1);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    /** Lists and maps for values, maps and nested lists for lists, fractions for whole numbers, numbers for names. */
    static List<Arguments> refusesOtherShapesForEveryKey() {
        List<Arguments> cases = new ArrayList<>();
        ConfigurationKeys.ofClasspath().types().forEach((key, type) -> {
            boolean list = type.startsWith("java.util.List");
            cases.add(Arguments.of(key, "{a: 1}"));
            cases.add(Arguments.of(key, list ? "[[1]]" : "[1]"));
            if (list) {
                cases.add(Arguments.of(key, "[{a: 1}]"));
            }
            if (type.equals("java.lang.Integer")) {
                cases.add(Arguments.of(key, "8.5"));
            }
            if (type.contains("$")) {
                cases.add(Arguments.of(key, "1"));
            }
        });
        for (String group : List.of("omlx", "omlx.server", "omlx.sampling", "omlx.auth", "omlx.models")) {
            cases.add(Arguments.of(group, "5"));
            cases.add(Arguments.of(group, "[1, 2]"));
        }
        cases.add(Arguments.of("server", "5"));
        cases.add(Arguments.of("server.port", "8000.5"));
        cases.add(Arguments.of("server.port", "[1]"));
        return cases;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "omlx.auth: sk-secret",
                "omlx.auth: [sk-secret]",
                "omlx.auth.api-keys: {sk-secret: true}",
                "omlx.auth.api-keys: {key: sk-secret}",
                "omlx.auth.api-keys: [[sk-secret]]",
                "omlx.auth.api-keys: [{key: sk-secret}]",
                "omlx.auth.api-keys: sha256:sk-secret",
                "omlx.auth.api-keys: [one, 'sha256:sk-secret']",
                "omlx.auth.api-keys: sk-secret ${NO_SUCH_NAME}",
                "omlx.auth.allow-unauthenticated: sk-secret",
                "omlx.auth.allow-unauthenticated: {sk-secret: true}",
                "omlx.auth.requests-per-minute: [sk-secret]",
                "omlx.auth.requests-per-minute: ${mine}\nmine: sk-secret",
                "omlx: [{auth: {api-keys: sk-secret}}]",
                "omlx.server.max-body-size: {apiKeys: sk-secret}",
                "omlx.server.max-body-size: {a: sk-secret}",
                "omlx.server.cors-origins: [[sk-secret]]",
                "omlx.server: sk-secret",
                "omlx.server: [sk-secret]",
                "omlx: sk-secret",
                "server: sk-secret",
                "server.port: {key-store-password: sk-secret}"
            })
    void showsNoSecretThatStandsInTheWrongPlace(String yaml, @TempDir Path folder) throws IOException {
        StartupException failure = failWith(Files.writeString(folder.resolve("mine.yml"), yaml));

        assertThat(failure)
                .hasMessageStartingWith("bad configuration: ")
                .hasMessageContaining("mine.yml")
                .hasMessageNotContainingAny("sk-secret", "java.", "null");
        assertThat(failure.getMessage()).hasLineCount(1);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
        assertThat(StartupFailures.trace(failure)).contains("\tat ").doesNotContain("sk-secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{sk-SECRET: 1} | is a list of values",
                "[[sk-SECRET]] | is a list of values",
                "[{key: sk-SECRET}] | is a list of values",
                "'\"\"' | has no value",
                "'' | has no value",
                "${NONE:} | has no value",
                "[\"\"] | a key must not be blank"
            })
    void refusesFaultyKeysOfClientsBeforeAnythingIsMade(String keys, String problem, @TempDir Path folder)
            throws IOException {
        StartupException failure =
                serve(Files.writeString(folder.resolve("mine.yml"), "omlx:\n  auth:\n    api-keys: " + keys));

        assertThat(failure)
                .hasMessageStartingWith("bad configuration: omlx.auth.api-keys")
                .hasMessageContainingAll("mine.yml", problem)
                .hasMessageNotContainingAny("sk-SECRET", "Exception", "dev.omlx");
        assertThat(failure.getMessage()).hasLineCount(1);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    @Test
    void refusesAKeyInThePlaceOfItsGroupBeforeAnythingIsMade(@TempDir Path folder) throws IOException {
        StartupException failure = serve(Files.writeString(folder.resolve("mine.yml"), "omlx:\n  auth: sk-SECRET"));

        assertThat(failure)
                .hasMessageMatching("bad configuration: omlx\\.auth \\(.*mine\\.yml.*\\)"
                        + " is a value, but omlx\\.auth has keys below it");
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auth:\n    api-keys: []", "auth: {}", "auth:", "auth:\n    api-keys: [sk-SECRET]"})
    void takesKeysOfClientsAndTheirAbsence(String auth, @TempDir Path folder) throws IOException {
        assertThat(serve(Files.writeString(folder.resolve("mine.yml"), "omlx:\n  " + auth)))
                .hasMessageStartingWith("the model 'nonesuch' does not exist");
    }

    private static StartupException serve(Path file) {
        return fail(
                OmlxApplication.class,
                WebApplicationType.REACTIVE,
                "--spring.config.location=" + file.toUri(),
                "--server.port=0",
                "--omlx.models.default-model=nonesuch");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ssl: hunter2 | server.ssl | is a value, but server.ssl has keys below it",
                "ssl: 5 | server.ssl | is a value, but server.ssl has keys below it",
                "ssl.ciphers: [[hunter2]] | server.ssl.ciphers[0][0] | server.ssl.ciphers is a list of values"
            })
    void namesSpringsKeysThatHaveAnotherShape(String yaml, String key, String problem, @TempDir Path folder)
            throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yml"), "server:\n  " + yaml);
        StartupException failure =
                fail(Server.class, WebApplicationType.REACTIVE, "--spring.config.location=" + file.toUri());

        assertThat(failure)
                .hasMessageStartingWith("bad configuration: " + key + " ")
                .hasMessageContaining(problem)
                .hasMessageNotContainingAny("hunter2", "'5'", "Exception", "java.", "org.spring");
        assertThat(failure.getMessage()).hasLineCount(1);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    @Test
    void saysThatAValueOfAnotherKindIsToBeText(@TempDir Path folder) throws IOException {
        assertThat(failWith(Files.writeString(folder.resolve("mine.yml"), "omlx.memory.max: true")))
                .hasMessageMatching("bad configuration: omlx\\.memory\\.max.* must be text: write it in quotes");
        assertThat(serve(Files.writeString(folder.resolve("mine.yml"), "omlx.auth.api-keys: [1234567]")))
                .hasMessage("bad configuration: omlx.auth.api-keys[0] must be text: write it in quotes");
    }

    @Test
    void takesGroupsWithoutKeys(@TempDir Path folder) throws IOException {
        start(Files.writeString(folder.resolve("mine.yml"), "omlx:\n  server:\n  auth: {}\nserver:\n"))
                .close();
    }

    @ParameterizedTest
    @MethodSource
    void namesAPlaceholderThatStandsForNothing(String key, @TempDir Path folder) throws IOException {
        StartupException failure = failWith(Files.writeString(folder.resolve("mine.yml"), key + ": ${NO_SUCH_NAME}"));

        assertThat(failure)
                .hasMessageStartingWith(
                        "bad configuration: " + key + (ShownSetting.isSecret(key) ? " (" : " = '${NO_SUCH_NAME}' ("))
                .hasMessageContainingAll("mine.yml", "placeholder 'NO_SUCH_NAME'");
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    static Stream<String> namesAPlaceholderThatStandsForNothing() {
        return keys(type -> true);
    }

    @Test
    void takesPlaceholdersThatStandForSomething(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("mine.yml"),
                "mine: 9\nomlx:\n  home: ${NO_SUCH_NAME:place}\n  scheduler:\n    max-batch-size: ${mine}\n");

        try (var context = start(file)) {
            assertThat(context.getBean(OmlxProperties.class).home()).isEqualTo(Path.of("place"));
            assertThat(context.getBean(SchedulerProperties.class).maxBatchSize())
                    .isEqualTo(9);
        }
    }

    @ParameterizedTest
    @CsvSource({"home", "native-library"})
    void saysThatAFileIsNoFolder(String key, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        StartupException failure = fail(Settings.class, WebApplicationType.NONE, "--omlx." + key + "=" + file);

        assertThat(failure).hasMessage("bad configuration: omlx." + key + " is " + file + ", which is no folder");
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    @Test
    void saysThatTheNativeLibraryIsNowhere(@TempDir Path folder) {
        Path nowhere = folder.resolve("nowhere");
        StartupException failure = fail(Settings.class, WebApplicationType.NONE, "--omlx.native-library=" + nowhere);

        assertThat(failure).hasMessageContainingAll("omlx.native-library", nowhere.toString(), "no folder");
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    @ParameterizedTest
    @MethodSource
    void namesTheFileThatCannotBeRead(String name, byte[] content, String problem, @TempDir Path folder)
            throws IOException {
        Path file = Files.write(folder.resolve(name), content);
        StartupException failure = failWith(file);

        assertThat(failure).hasMessageStartingWith("bad configuration: " + file + ": " + problem);
        assertThat(failure.getMessage()).hasLineCount(1);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
    }

    static List<Arguments> namesTheFileThatCannotBeRead() {
        return List.of(
                broken("mine.yml", "a: \u00f6", "not encoded in UTF-8"),
                broken("mine.yml", "\u00ff\u00fe\u0080\u0001\u0003", ""),
                broken("mine.yml", "a: \0", "holds a character that YAML does not allow, U+0000"),
                broken("mine.yml", "a: 1\nb: [", "not well-formed at line 2"),
                broken("mine.yaml", "a: 1\na: 2", "not well-formed at line 2: found duplicate key a"),
                broken("mine.yml", "hello", "holds no keys"),
                broken("mine.yml", "a: 1\n---\nhello", "holds no keys"),
                broken("mine.yml", "- a\n- b: 1", "holds no keys"),
                broken("mine.yml", "omlx: &a [*a]", "holds an alias within what it stands for"),
                broken("mine.yml", "a: &a {b: *a}", "holds an alias within what it stands for"),
                broken("mine.properties", "a=\\u12", ""));
    }

    /** @param content a char for each byte */
    private static Arguments broken(String name, String content, String problem) {
        return Arguments.of(name, content.getBytes(StandardCharsets.ISO_8859_1), problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spring.application.json | {bad | SPRING_APPLICATION_JSON",
                "spring.application.json | [1] | SPRING_APPLICATION_JSON",
                "spring.application.json | {\"omlx\":{\"sampling\":{\"temperature\":[1]}}} | omlx.sampling.temperature[0]",
                "spring.config.import | nofile.yml | nofile.yml: no such file",
                "spring.config.import | application.txt | application.txt",
                "spring.config.import | nonsense:there | nonsense:there",
                "spring.config.location | file:/no/such/folder/ | file:/no/such/folder/: no such file or folder",
                "logging.level.root | LOUD | logging.level.root = 'LOUD' must be"
            })
    void tellsInOneLineWhatSpringCannotRead(String key, String value, String problem, CapturedOutput output) {
        StartupException failure = fail(Settings.class, WebApplicationType.NONE, "--" + key + "=" + value);

        assertThat(failure).hasMessageStartingWith("bad configuration: ").hasMessageContaining(problem);
        assertThat(failure.getMessage()).hasLineCount(1).doesNotContain("REDACTED");
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
        assertThat(output).doesNotContain("APPLICATION FAILED", "Exception", "\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server.ssl.key-store | /no/such.p12 | no such file or folder",
                "server.ssl.certificate | /no/such.pem | no trust material is configured",
                "server.ssl.bundle | nope | cannot be found",
                "server.ssl.protocol | bogus | SSL is enabled but no trust material is configured",
                "server.ssl.enabled | perhaps | must be true or false",
                "spring.main.sources | nope | Invalid source 'nope'",
                "spring.main.web-application-type | servlet | must be reactive"
            })
    void namesTheKeysOfWhatTheServerCannotUse(String key, String value, String problem) {
        StartupException failure = fail(Server.class, WebApplicationType.REACTIVE, "--" + key + "=" + value);

        expectBadConfiguration(failure, key, value, problem);
    }

    @Test
    void hidesThePasswordOfAKeyStoreThatCannotBeRead(@TempDir Path folder) throws IOException {
        Path store = Files.writeString(folder.resolve("store.p12"), "no key store");
        StartupException failure = failWithKeyStore(store);

        expectBadConfiguration(failure, "server.ssl.key-store", store.toString(), "' is no key store that can be read");
        assertThat(failure).hasMessageNotContaining("sk-secret");
        assertThat(StartupFailures.trace(failure)).doesNotContain("sk-secret");
    }

    @Test
    void saysThatThePasswordDoesNotOpenTheKeyStore(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("store.p12");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, "right".toCharArray());
        }
        StartupException failure = failWithKeyStore(file);

        expectBadConfiguration(failure, "server.ssl.key-store", file.toString(), ": the password does not open it");
        assertThat(failure).hasMessageNotContaining("sk-secret");
    }

    private static StartupException failWithKeyStore(Path store) {
        return fail(
                Server.class,
                WebApplicationType.REACTIVE,
                "--server.ssl.key-store=" + store,
                "--server.ssl.key-store-password=sk-secret");
    }

    private static void expectBadConfiguration(StartupException failure, String key, String value, String problem) {
        assertThat(failure)
                .hasMessageStartingWith("bad configuration: ")
                .hasMessageContainingAll(key + " = '" + value + "'", problem)
                .hasMessageNotContainingAny("Exception", "java.", "org.spring");
        assertThat(failure.getMessage()).hasLineCount(1);
        assertThat(failure.exitCode()).isEqualTo(Cli.MISUSED);
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

    private static Stream<String> keys(Predicate<String> type) {
        return ConfigurationKeys.ofClasspath().types().entrySet().stream()
                .filter(key -> type.test(key.getValue()))
                .map(Map.Entry::getKey)
                .sorted();
    }

    private static StartupException failWith(Path file) {
        return catchThrowableOfType(StartupException.class, () -> start(file).close());
    }

    private static ConfigurableApplicationContext start(Path file) {
        return new SpringLauncher(Settings.class, WebApplicationType.NONE, false)
                .start(List.of("--spring.config.location=" + file.toUri()));
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
    @EnableConfigurationProperties(org.springframework.boot.web.server.autoconfigure.ServerProperties.class)
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
