package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class TokenizeCommandTests {
    /** Byte pairs over three letters and a space, and one special token. */
    private static final String TOKENIZER = """
            {"version": "1.0",
             "added_tokens": [{"id": 6, "content": "<s>", "special": true, "normalized": false,
                               "single_word": false, "lstrip": false, "rstrip": false}],
             "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": true},
             "decoder": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": false, "use_regex": true},
             "model": {"type": "BPE",
                       "vocab": {"a": 0, "b": 1, "s": 2, "<": 3, ">": 4, "ab": 5, "<s>": 6},
                       "merges": [["a", "b"]]}}
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void writeModel() throws IOException {
        Files.writeString(folder.resolve("tokenizer.json"), TOKENIZER);
    }

    @Test
    void encodesPlainText() {
        CommandRun run = new CommandRun("[\"abba\", \"\", \"a<s>\"]");

        assertThat(execute(run, "--model", "tiny")).isZero();
        assertThat(run.out()).isEqualTo("[[5,1,0],[],[0,3,2,4]]" + System.lineSeparator());
        assertThat(run.err()).isEmpty();
    }

    @Test
    void takesAByteOrderMark() {
        CommandRun run = new CommandRun("\uFEFF[\"abba\"]");

        assertThat(execute(run, "--model", "tiny")).isZero();
        assertThat(run.out()).isEqualTo("[[5,1,0]]" + System.lineSeparator());
    }

    @Test
    void encodesSpecialTokensWhereAsked() {
        CommandRun run = new CommandRun("[\"a<s>\"]");

        assertThat(execute(run, "--model", "tiny", "--special")).isZero();
        assertThat(run.out()).isEqualTo("[[0,6]]" + System.lineSeparator());
    }

    @Test
    void decodesWithSpecialTokens() {
        CommandRun run = new CommandRun("[[6,5,1,0],[]]");

        assertThat(execute(run, "--model", "tiny", "--decode")).isZero();
        assertThat(run.out()).isEqualTo("[\"<s>abba\",\"\"]" + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            ["a"            | --special | not JSON at line 1
            {"a": 1}        | --special | to be a JSON array of texts, and is of type object
            ~ ~             | --special | to be a JSON array of texts, and is empty
            ["a"] ["b"]     | --special | not JSON
            ["a", 3]        | --special | element 1 of the input is to be a string, and is 3
            ["a", null]     | --special | element 1 of the input is to be a string, and is of type null
            ["\\ud800"]      | --special | element 0 of the input holds half a surrogate pair
            [["a"]]         | --decode  | [0] of element 0 of the input is to be a token id from 0 to 6, and is of type string
            [[7]]           | --decode  | [0] of element 0 of the input is to be a token id from 0 to 6, and is 7
            [[0, -1]]       | --decode  | [1] of element 0
            [[1.5]]         | --decode  | and is 1.5
            [[99999999999]] | --decode  | and is 99999999999
            """)
    void refusesOtherInputInOneLineWithExitCodeTwo(String input, String option, String expected) {
        CommandRun run = new CommandRun(input);

        assertThat(execute(run, "--model", "tiny", option)).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(expected).startsWith("omlx: ").hasLineCount(1);
    }

    @Test
    void failsWithoutTheModel() {
        CommandRun run = new CommandRun("[]");

        assertThat(execute(run, "--model", "other")).isEqualTo(1);
        assertThat(run.err()).contains("'other'").hasLineCount(1);
    }

    @Test
    void needsToKnowTheModel() {
        CommandRun run = new CommandRun("[]");

        assertThat(execute(run)).isEqualTo(2);
        assertThat(run.err()).contains("--model").hasLineCount(1);
    }

    private int execute(CommandRun run, String... arguments) {
        Models models = name -> {
            if (!name.equals("tiny")) {
                throw new EngineException.ModelNotFound(name);
            }
            return folder;
        };
        return Cli.prepare(new CommandLine(new TokenizeCommand(run.streams(), models)), run.streams())
                .execute(arguments);
    }
}
