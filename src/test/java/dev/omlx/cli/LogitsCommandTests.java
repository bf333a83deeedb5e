package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.ModelProbe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class LogitsCommandTests {
    private final List<String> asked = new ArrayList<>();
    private boolean closed;

    @Test
    void asksForEachElement() {
        CommandRun run = new CommandRun("[{\"ids\": [1, 2], \"greedy\": 2}, {\"ids\": [3]}]");

        assertThat(execute(run)).isZero();
        assertThat(run.out())
                .isEqualTo("[{\"logits\":[0.1,-2.5],\"tokens\":[7,7],\"logprob_sum\":-2.0},"
                        + "{\"logits\":[0.1,-2.5],\"tokens\":[],\"logprob_sum\":-1.0}]" + System.lineSeparator());
        assertThat(asked).containsExactly("model [1, 2]", "model [3]");
        assertThat(closed).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            [3]                           | element 0 of the input is to be an object
            [{}]                          | ids of element 0 of the input is to be an array of at least one token id
            [{"ids": []}]                 | at least one token id
            [{"ids": ["a"]}]              | [0] of ids of element 0
            [{"ids": [1], "greedy": -1}]  | greedy of element 0 of the input is to be a number of tokens, and is -1
            [{"ids": [1], "greedy": "x"}] | greedy of element 0
            """)
    void refusesOtherInputBeforeItLoadsTheModel(String input, String expected) {
        CommandRun run = new CommandRun(input);

        assertThat(execute(run)).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains(expected).hasLineCount(1);
        assertThat(asked).isEmpty();
        assertThat(closed).isFalse();
    }

    @Test
    void refusesIdsThatTheModelDoesNotKnow() {
        CommandRun run = new CommandRun("[{\"ids\": [1]}, {\"ids\": [99]}]");

        assertThat(execute(run)).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("element 1", "99 is unknown").hasLineCount(1);
        assertThat(closed).isTrue();
    }

    private int execute(CommandRun run) {
        LogitsCommand command = new LogitsCommand(run.streams(), Path::of, Scripted::new);
        return Cli.prepare(new CommandLine(command), run.streams()).execute("--model", "model");
    }

    /** Knows ids below 10. */
    private final class Scripted implements LogitsSource {
        private final Path model;

        Scripted(Path model) {
            this.model = model;
        }

        @Override
        public ModelProbe.Reading read(int[] ids, int greedy) {
            for (int id : ids) {
                if (id >= 10) {
                    throw new IllegalArgumentException(id + " is unknown");
                }
            }
            asked.add(model + " " + Arrays.toString(ids));
            int[] tokens = new int[greedy];
            Arrays.fill(tokens, 7);
            return new ModelProbe.Reading(new float[] {0.1f, -2.5f}, tokens, -ids.length);
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
