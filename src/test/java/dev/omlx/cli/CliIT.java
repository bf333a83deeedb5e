package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.omlx.cli.JarRuns.Ended;
import dev.omlx.testsupport.TestModels;
import dev.omlx.testsupport.TinyModel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The executable jar's commands as a shell runs them. */
class CliIT {
    private static final Path REFERENCE = Path.of("src/test/resources/reference");
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tokenizesAndDecodesLikeTheReference(boolean special) throws Exception {
        List<JsonNode> items = reference("tokens.json")
                .path("items")
                .valueStream()
                .filter(item -> item.path("special").asBoolean() == special)
                .toList();
        List<JsonNode> ids = items.stream().map(item -> item.path("ids")).toList();
        List<String> texts =
                items.stream().map(item -> item.path("text").asString()).toList();
        List<String> decoded = items.stream()
                .map(item -> item.path("decoded").asString(item.path("text").asString()))
                .toList();
        List<String> command = new ArrayList<>(
                List.of("tokenize", "--model", TestModels.smollm2().toString()));
        if (special) {
            command.add("--special");
        }

        assertThat(json(omlx(JSON.writeValueAsString(texts), command)).values()).containsExactlyElementsOf(ids);

        command.add("--decode");
        assertThat(json(omlx(JSON.writeValueAsString(ids), command))
                        .valueStream()
                        .map(JsonNode::asString))
                .containsExactlyElementsOf(decoded);
    }

    @Test
    void rendersTheModelsTemplateLikeTheReference() throws Exception {
        List<JsonNode> chats =
                reference("greedy.json").path("chats").valueStream().toList();
        List<Map<String, Object>> contexts = chats.stream()
                .map(chat -> Map.of("messages", (Object) chat.path("messages"), "add_generation_prompt", true))
                .toList();

        JsonNode answers = json(omlx(
                JSON.writeValueAsString(contexts),
                List.of("render", "--model", TestModels.smollm2().toString())));

        assertThat(answers.valueStream().map(answer -> answer.path("ok").asString()))
                .containsExactlyElementsOf(chats.stream()
                        .map(chat -> chat.path("prompt").asString())
                        .toList());
    }

    @Test
    void computesLogitsLikeTheReference() throws Exception {
        Path model = REFERENCE.resolve("models/llama");
        JsonNode prompts = JSON.readTree(model.resolve("expected.json")).path("prompts");
        List<Map<String, Object>> questions = prompts.valueStream()
                .map(prompt -> Map.of(
                        "ids",
                        (Object) prompt.path("tokens"),
                        "greedy",
                        prompt.path("greedy").size()))
                .toList();

        JsonNode answers =
                json(omlx(JSON.writeValueAsString(questions), List.of("logits", "--model", model.toString())));

        assertThat(answers.size()).isEqualTo(prompts.size());
        for (int i = 0; i < prompts.size(); i++) {
            JsonNode expected = prompts.get(i);
            JsonNode answer = answers.get(i);
            assertThat(answer.propertyNames()).containsExactly("logits", "tokens", "logprob_sum");
            assertThat(answer.path("tokens")).isEqualTo(expected.path("greedy"));
            double[] logits = doubles(answer.path("logits"));
            double[] wanted = doubles(expected.path("logits"));
            double largest = IntStream.range(0, wanted.length)
                    .mapToDouble(k -> Math.abs(wanted[k]))
                    .max()
                    .orElseThrow();
            assertThat(logits).containsExactly(wanted, within(2e-4 * largest));
            double sum = expected.path("logprob_sum").asDouble();
            assertThat(answer.path("logprob_sum").asDouble()).isCloseTo(sum, within(2e-4 * Math.abs(sum)));
        }
    }

    @Test
    void findsModelsByIdInTheHomeThatTheEnvironmentNames() throws Exception {
        TinyModel.in(folder.resolve("models/owner/tiny"));

        assertThat(omlx("", List.of("list")).out()).startsWith("owner/tiny  safetensors");
        assertThat(omlx("[\"AB\"]", List.of("tokenize", "--model", "owner/tiny"))
                        .out())
                .isEqualTo("[[65,66]]" + System.lineSeparator());
        assertThat(omlx("", List.of("doctor")).out()).contains("MLX", "owner/tiny");
    }

    @Test
    void findsTheSettingsOfTheWorkingDirectoryWhateverTheCommand() throws Exception {
        TinyModel.in(folder.resolve("elsewhere/models/owner/tiny"));
        Path settings = Files.writeString(folder.resolve("application.yml"), "omlx:\n  home: elsewhere\n");

        assertThat(omlx("", List.of("list")).out()).startsWith("owner/tiny  safetensors");
        assertThat(omlx("", List.of("doctor")).out()).contains("owner/tiny");
        assertThat(omlx("[\"AB\"]", List.of("tokenize", "--model", "owner/tiny"))
                        .out())
                .isEqualTo("[[65,66]]" + System.lineSeparator());
        assertThat(omlx("[{\"ids\": [65], \"greedy\": 1}]", List.of("logits", "--model", "owner/tiny"))
                        .code())
                .isZero();

        Files.writeString(settings, "omlx:\n  home: elsewhere\n  memory:\n    max: lots\n");
        Ended bad = omlx("[{\"ids\": [65], \"greedy\": 1}]", List.of("logits", "--model", "owner/tiny"));
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err())
                .startsWith("omlx: bad configuration: omlx.memory.max = 'lots'")
                .hasLineCount(1);
    }

    @Test
    void answersAPromptOrLinesWithNothingElseOnTheOutput() throws Exception {
        String model = TestModels.smollm2().toString();
        String question = "What is the capital of France?";

        Ended once = omlx("", List.of("run", model, question, "--temperature", "0", "--max-tokens", "20"));
        assertThat(once).isEqualTo(new Ended(0, "The capital of France is Paris." + System.lineSeparator(), ""));

        Ended lines = omlx(
                question + "\n/reset\n" + question + "\n/exit\n" + question + "\n",
                List.of("run", model, "--temperature", "0", "--max-tokens", "20"));
        assertThat(lines).isEqualTo(new Ended(0, once.out().repeat(2), ""));
    }

    @Test
    void refusesMalformedInputInOneLine() throws Exception {
        for (String command : List.of("tokenize", "render", "logits")) {
            Ended ended =
                    omlx("[1,", List.of(command, "--model", TestModels.smollm2().toString()));

            assertThat(ended.code()).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err()).startsWith("omlx: the input is not JSON").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tokenize", "render", "logits"})
    void takesAClosedInputForAnEmptyOne(String command) throws Exception {
        Ended ended = inShell(
                "exec \"$@\" <&-",
                List.of(command, "--model", TestModels.smollm2().toString()));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .startsWith("omlx: the input is to be a JSON array of ")
                .endsWith(", and is empty" + System.lineSeparator())
                .hasLineCount(1);
    }

    @Test
    void answersWithoutAnInputWhatItIsGivenAsArguments() throws Exception {
        String tiny = TinyModel.in(folder.resolve("tiny")).toString();

        assertThat(inShell("exec \"$@\" <&-", List.of("run", tiny))).isEqualTo(new Ended(0, "", ""));
        Ended answered = inShell("exec \"$@\" <&-", List.of("run", tiny, "AB", "--max-tokens", "3"));
        assertThat(answered.code()).isZero();
        assertThat(answered.out()).isNotBlank();
    }

    @Test
    void saysThatTheOutputIsClosed() throws Exception {
        String tiny = TinyModel.in(folder.resolve("tiny")).toString();
        Ended lost = inShell("echo '[\"AB\"]' | \"$@\" >&-", List.of("tokenize", "--model", tiny));

        assertThat(lost.code()).isEqualTo(1);
        assertThat(lost.err())
                .startsWith("omlx: cannot write to the output: it is closed")
                .hasLineCount(1);
    }

    @Test
    void writesNowhereElseWhenAllStreamsAreClosed() throws Exception {
        String tiny = TinyModel.in(folder.resolve("tiny")).toString();
        byte[] jar = Files.readAllBytes(JarRuns.JAR);

        assertThat(inShell("echo '[\"AB\"]' | \"$@\" >&- 2>&-", List.of("tokenize", "--model", tiny))
                        .code())
                .isEqualTo(1);
        assertThat(inShell("\"$@\" <&- >&- 2>&-", List.of("tokenize", "--model", tiny))
                        .code())
                .isEqualTo(2);
        assertThat(JarRuns.JAR).hasBinaryContent(jar);
    }

    @Test
    void failsToServeInOneLine() throws Exception {
        Ended unknown = omlx("", List.of("serve", "--model", "nonesuch"));
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err())
                .startsWith("omlx: the model 'nonesuch' does not exist")
                .hasLineCount(1);
        Ended bad = omlx("", List.of("serve", "--omlx.memory.memory-guard-tier=bogus"));
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err())
                .startsWith("omlx: bad configuration: omlx.memory.memory-guard-tier = 'bogus' must be safe,")
                .hasLineCount(1);

        Ended open = omlx(
                "",
                List.of(
                        "serve",
                        "--host",
                        "0.0.0.0",
                        "--model",
                        TestModels.smollm2().toString()));
        assertThat(open.code()).isEqualTo(2);
        assertThat(open.err())
                .startsWith("omlx: bad configuration: server.address = '0.0.0.0': anyone could use the server there")
                .hasLineCount(1);

        String tiny = TinyModel.in(folder.resolve("tiny")).toString();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ended ended = omlx("", List.of("--model", tiny, "--port", "" + taken.getLocalPort()));
            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.err())
                    .contains("port " + taken.getLocalPort() + " is already in use")
                    .hasLineCount(1);
            assertThat(ended.out()).doesNotContain("Exception", "WARN", "ERROR");
        }
    }

    @Test
    void showsNoSecretOfTheEnvironment() throws Exception {
        String environment = "OMLX_AUTH_ALLOWUNAUTHENTICATED=sk-secret exec \"$@\"";
        Ended bad = inShell(environment, List.of("serve"));

        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err())
                .isEqualToNormalizingNewlines("omlx: bad configuration: OMLX_AUTH_ALLOWUNAUTHENTICATED (environment)"
                        + " must be true or false\n");
        assertThat(inShell(environment, List.of("serve", "--debug")).err())
                .contains("\tat ")
                .doesNotContain("sk-secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "native/tokenizers"})
    void saysInOneLineThatALibraryCannotBeUnpacked(String blocked) throws Exception {
        Path file = folder.resolve(blocked);
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        String model = TinyModel.in(folder.resolve("tiny")).toString();

        for (List<String> command : List.of(
                List.of("run", model, "hi"),
                List.of("serve", "--model", model, "--port", "0"),
                List.of("tokenize", "--model", model))) {
            Ended ended = omlx("[\"AB\"]", command);

            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.err())
                    .as("%s", command)
                    .startsWith("omlx: ")
                    .contains("unpack", " to " + folder.resolve("native"))
                    .containsPattern(": (Not a directory|something else has that name)$")
                    .hasLineCount(1);
            assertThat(ended.out()).doesNotContain("Exception", "\tat ", "WARN", "ERROR");
        }
    }

    private Ended omlx(String input, List<String> arguments) throws IOException, InterruptedException {
        return new JarRuns(folder).omlx(input, arguments);
    }

    private Ended inShell(String script, List<String> arguments) throws IOException, InterruptedException {
        return new JarRuns(folder).inShell(script, arguments);
    }

    private static JsonNode json(Ended ended) {
        assertThat(ended.err()).isEmpty();
        assertThat(ended.code()).isZero();
        return JSON.readTree(ended.out());
    }

    private static JsonNode reference(String name) {
        return JSON.readTree(REFERENCE.resolve("smollm2").resolve(name));
    }

    private static double[] doubles(JsonNode array) {
        return array.valueStream().mapToDouble(JsonNode::asDouble).toArray();
    }
}
