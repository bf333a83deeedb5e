package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.ChatMessage;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.Prompt;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.ScriptedEngine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class RunCommandTests {
    private final ScriptedEngine engine = new ScriptedEngine();
    private final List<String> settings = new ArrayList<>();

    @Test
    void answersAPromptAndWritesNothingElse() {
        CommandRun run = new CommandRun("not read");

        int code = execute(run, false, "m.gguf", "Say", "hello");

        assertThat(code).isZero();
        assertThat(run.out()).isEqualTo("Hello world" + System.lineSeparator());
        assertThat(run.err()).isEmpty();
        assertThat(messages(engine.lastRequest())).containsExactly(ChatMessage.user("Say hello"));
        assertThat(settings).containsExactly("--omlx.models.default-model=m.gguf");
    }

    @Test
    void tellsTheSpeedToWhoeverWatches() {
        CommandRun run = new CommandRun("");

        execute(run, true, "m", "hi");

        assertThat(run.out()).isEqualTo("Hello world" + System.lineSeparator());
        assertThat(run.err())
                .contains("2 tokens", "tokens/s", "first after 2 ms")
                .hasLineCount(1);
    }

    @Test
    void saysThatAnAnswerWasCut() {
        CommandRun run = new CommandRun("");

        execute(run, true, "--max-tokens", "1", "m", "hi");

        assertThat(run.out()).isEqualTo("Hello" + System.lineSeparator());
        assertThat(run.err()).contains("cut at the limit");
    }

    @Test
    void answersEachLineOfItsInputInOneConversation() {
        CommandRun run = new CommandRun("first\n\n  second \n/reset\nthird\n/exit\nfourth\n");

        int code = execute(run, false, "m");

        assertThat(code).isZero();
        assertThat(run.out()).isEqualTo(("Hello world" + System.lineSeparator()).repeat(3));
        assertThat(run.err()).isEmpty();
        assertThat(engine.requests())
                .extracting(RunCommandTests::messages)
                .containsExactly(
                        List.of(ChatMessage.user("first")),
                        List.of(
                                ChatMessage.user("first"),
                                ChatMessage.assistant("Hello world"),
                                ChatMessage.user("second")),
                        List.of(ChatMessage.user("third")));
    }

    @Test
    void keepsTheSystemMessageOverAReset() {
        execute(new CommandRun("a\n/reset\nb\n"), false, "--system", "Be brief.", "m");

        assertThat(messages(engine.lastRequest()))
                .containsExactly(ChatMessage.of("system", "Be brief."), ChatMessage.user("b"));
    }

    @Test
    void goesOnAfterALineThatFailsAndEndsWithExitCodeOne() {
        engine.play(Script.empty().fail(new EngineException.ContextLengthExceeded("messages", 9000, 8192)));
        CommandRun run = new CommandRun("long\nalso long\n");

        int code = execute(run, false, "m");

        assertThat(code).isEqualTo(1);
        assertThat(run.err()).contains("9000 tokens", "/reset").hasLineCount(2);
        assertThat(messages(engine.lastRequest())).containsExactly(ChatMessage.user("also long"));
    }

    @Test
    void endsInOneLineWhereTheOnlyAnswerFails() {
        engine.play(Script.empty().start().say("Hal").fail(new EngineException.Failed("the engine broke", null)));
        CommandRun run = new CommandRun("");

        int code = execute(run, false, "m", "hi");

        assertThat(code).isEqualTo(1);
        assertThat(run.err()).isEqualTo("omlx: the engine broke" + System.lineSeparator());
    }

    @Test
    void leavesToTheModelWhatIsNotAskedFor() {
        execute(new CommandRun(""), false, "m", "hi");

        GenerationRequest request = engine.lastRequest();
        assertThat(request).usingRecursiveComparison().isEqualTo(GenerationRequest.of(request.id(), request.prompt()));
        assertThat(request.model()).isNull();
    }

    @Test
    void passesSamplingOn() {
        execute(
                new CommandRun(""),
                false,
                "m",
                "--temperature=0.5",
                "--top-p=0.9",
                "--top-k=3",
                "--min-p=0.1",
                "--repetition-penalty=1.1",
                "--seed=7",
                "--max-tokens=9",
                "--stop=END",
                "hi");

        var sampling = engine.lastRequest().sampling();
        assertThat(sampling.temperature()).isEqualTo(0.5);
        assertThat(sampling.topP()).isEqualTo(0.9);
        assertThat(sampling.topK()).isEqualTo(3);
        assertThat(sampling.minP()).isEqualTo(0.1);
        assertThat(sampling.repetitionPenalty()).isEqualTo(1.1);
        assertThat(sampling.seed()).isEqualTo(7);
        assertThat(engine.lastRequest().stop().maxTokens()).isEqualTo(9);
        assertThat(engine.lastRequest().stop().stops()).containsExactly("END");
    }

    @ParameterizedTest
    @CsvSource({
        "--temperature=9,          between 0 and 2",
        "--temperature=NaN,        between 0 and 2",
        "--top-p=0,                above 0 and at most 1",
        "--top-k=-1,               between 0 and 2147483647",
        "--min-p=1.5,              between 0 and 1",
        "--repetition-penalty=0,   between 0.01 and 100",
        "--max-tokens=0,           between 1 and 2147483647",
        "--stop=,                  not be an empty text"
    })
    void refusesFlagsThatAreOutOfRangeBeforeAModelIsLoaded(String flag, String range) {
        CommandRun run = new CommandRun("");

        assertThat(execute(run, false, flag, "m", "hi")).isEqualTo(2);

        assertThat(run.err()).contains(flag.replaceFirst("=.*", ""), range).hasLineCount(1);
        assertThat(settings).isEmpty();
    }

    @Test
    void takesKeysOfTheConfigurationAndRefusesUnknownOptions() {
        assertThat(execute(new CommandRun(""), false, "--omlx.server.max-json-depth=9", "m", "hi"))
                .isZero();
        assertThat(settings).contains("--omlx.server.max-json-depth=9");

        assertThat(execute(new CommandRun(""), false, "--temprature=1", "m", "hi"))
                .isEqualTo(2);
    }

    private int execute(CommandRun run, boolean watched, String... arguments) {
        EngineStarter starter = (given, debug) -> {
            settings.addAll(given);
            return new Running(engine);
        };
        CommandLine command = new CommandLine(new RunCommand(run.streams(), starter, new Piped(watched)));
        return Cli.prepare(command, run.streams()).execute(arguments);
    }

    private static List<ChatMessage> messages(GenerationRequest request) {
        return ((Prompt.Chat) request.prompt()).messages();
    }

    private record Running(InferenceEngine engine) implements EngineStarter.RunningEngine {
        @Override
        public void close() {}
    }

    /** Only the error stream may be a terminal. */
    private record Piped(boolean showsErrors) implements Terminals {
        @Override
        public boolean interactive() {
            return false;
        }
    }
}
