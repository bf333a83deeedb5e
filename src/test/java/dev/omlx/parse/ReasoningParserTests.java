package dev.omlx.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ReasoningParserTests {
    private static final OutputFormat THINK = new OutputFormat(ReasoningFormat.THINK, ToolFormat.HERMES);
    private static final String OPEN = "<|im_start|>assistant\n<think>\n";
    private static final String CLOSED = "<|im_start|>assistant\n<think>\n\n</think>\n\n";
    private static final String NEITHER = "<|im_start|>assistant\n";

    @ParameterizedTest
    @EnumSource(value = ReasoningFormat.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void tellsThoughtsFromText(ReasoningFormat format) {
        OutputFormat output = new OutputFormat(format, ToolFormat.NONE);
        String thoughts = format.open() + "\nI think.\n\nHm.\n" + format.close() + "\n\nHello ";

        assertThat(Parsed.of(output, NEITHER, thoughts)).isEqualTo(new Parsed("Hello ", "I think.\n\nHm.", List.of()));
        assertThat(Parsed.of(
                        output,
                        NEITHER + format.open() + "\n",
                        thoughts.substring(format.open().length())))
                .isEqualTo(new Parsed("Hello ", "I think.\n\nHm.", List.of()));
        assertThat(Parsed.of(output, NEITHER + format.open(), thoughts))
                .as("opened twice")
                .isEqualTo(new Parsed("Hello ", "I think.\n\nHm.", List.of()));
        assertThat(OutputFormat.of("{{ '" + format.open() + "' }}").reasoning()).isEqualTo(format);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // prompt, answer, reasoning, text
                "neither | Hello                               | -                  | Hello",
                "closed  | Hello                               | -                  | Hello",
                "open    | Hello                               | Hello              | -",
                "open    | cut off \\n                         | cut off \\n        | -",
                "open    | cut in </thi                        | cut in </thi       | -",
                "neither | <think>cut                          | cut                | -",
                "neither | \\n\\n<think>\\n\\n</think>\\n\\nHi | -                  | Hi",
                "neither | <think>a</think>b</think>c          | a                  | b</think>c",
                "neither | say <think>x</think>                | -                  | say <think>x</think>",
                "closed  | <think>a</think>b                   | a                  | b",
                // ended before it began, and again
                "open    | </think>private</think>answer       | private            | answer",
                "open    | \\n</think>\\n\\nprivate\\n</think>\\n\\nanswer | private  | answer",
                "open    | </think>\\n\\nanswer                | -                  | answer",
                "open    | a < b </b> </think>c                | a < b </b>         | c",
                "neither | <thin                               | -                  | <thin",
                "neither | ' '                                 | -                  | ' '",
            })
    void decidesByTemplateAndTokensAlone(String prompt, String answer, String reasoning, String text) {
        String end = switch (prompt) {
            case "open" -> OPEN;
            case "closed" -> CLOSED;
            default -> NEITHER;
        };

        assertThat(Parsed.of(THINK, "<think> in a question" + end, escaped(answer)))
                .isEqualTo(new Parsed(escaped(text), escaped(reasoning), List.of()));
    }

    @Test
    void doesNotHoldBackForEverAfterEmptyThoughts() {
        String answer = "word ".repeat(ReasoningParser.PROBATION);
        StringBuilder shown = new StringBuilder();
        OutputParser parser = THINK.parser(OPEN, DeclaredTools.NONE);

        parser.feed("</think>" + answer, piece -> shown.append(((Piece.Text) piece).text()));

        assertThat(shown).hasToString(answer);
    }

    @Test
    void showsThoughtsAsTheyCome() {
        StringBuilder shown = new StringBuilder();
        OutputParser parser = THINK.parser(OPEN, DeclaredTools.NONE);

        for (String piece : List.of("I", " think", " <", "b", ">\n")) {
            parser.feed(
                    piece, part -> shown.append(((Piece.Reasoning) part).text()).append('|'));
        }

        assertThat(shown).hasToString("I| think| <b|>|");
    }

    @Test
    void takesCallsAfterThoughtsAndLeavesThoseWithin() {
        String call = "<tool_call>{\"name\": \"get_time\"}</tool_call>";

        assertThat(Parsed.of(THINK, OPEN, call + "</think>\n\n" + call))
                .isEqualTo(new Parsed("", call, List.of("get_time {}")));
        assertThat(Parsed.of(
                        THINK,
                        NEITHER,
                        "<tool_call>{\"name\": \"write\", \"arguments\": {\"path\": \"a\", \"text\": \"<think>x</think>\"}}"
                                + "</tool_call>"))
                .isEqualTo(new Parsed("", "", List.of("write {\"path\":\"a\",\"text\":\"<think>x</think>\"}")));
    }

    @Test
    void readsHarmonysChannels() {
        OutputFormat harmony = new OutputFormat(ReasoningFormat.NONE, ToolFormat.HARMONY);

        assertThat(Parsed.of(
                        harmony,
                        "<|start|>assistant",
                        "<|channel|>analysis<|message|>Think <b>.<|end|><|start|>assistant<|channel|>final<|message|>Hi"
                                + " < there"))
                .isEqualTo(new Parsed("Hi < there", "Think <b>.", List.of()));
        assertThat(Parsed.of(harmony, "", "<|channel|>analysis<|message|>Cut"))
                .isEqualTo(new Parsed("", "Cut", List.of()));
        assertThat(Parsed.of(harmony, "", "<|channel|>analysis<|mess")).isEqualTo(new Parsed("", "", List.of()));
        assertThat(Parsed.of(harmony, "", "Hello there")).isEqualTo(new Parsed("Hello there", "", List.of()));
        assertThat(Parsed.of(harmony, "", "<|channel|>commentary to=functions.get_weather<|message|>{\"city\""))
                .isEqualTo(new Parsed("{\"city\"", "", List.of()));
    }

    private static String escaped(String text) {
        return text == null ? "" : text.replace("\\n", "\n");
    }
}
