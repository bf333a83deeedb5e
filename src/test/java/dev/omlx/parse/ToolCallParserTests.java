package dev.omlx.parse;

import static dev.omlx.parse.ToolFormat.HERMES;
import static dev.omlx.parse.ToolFormat.QWEN3_CODER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ToolCallParserTests {
    private static final String OSLO = "get_weather {\"city\":\"Oslo\",\"days\":2}";
    private static final String JSON = "{\"city\": \"Oslo\", \"days\": 2}";
    private static final String CALL = "{\"name\": \"get_weather\", \"arguments\": " + JSON + "}";

    /** The same call in each format's own way, and those ways that differ between models of one format. */
    static Stream<Map.Entry<ToolFormat, String>> spellings() {
        return Stream.of(
                Map.entry(HERMES, "<tool_call>\n" + CALL + "\n</tool_call>"),
                Map.entry(HERMES, "<tool_call>" + CALL + "</tool_call>\n"),
                Map.entry(HERMES, "<tool_call>[" + CALL + "]</tool_call>"),
                Map.entry(HERMES, "<tool_call>\n" + CALL),
                Map.entry(HERMES, CALL),
                Map.entry(HERMES, "\n [" + CALL + "] "),
                Map.entry(
                        HERMES,
                        "<tool_call>{\"name\":\"get_weather\",\"arguments\":\"{\\\"city\\\":\\\"Oslo\\\","
                                + "\\\"days\\\":2}\"}</tool_call>"),
                Map.entry(HERMES, "{\"type\":\"function\",\"function\":" + CALL + "}"),
                Map.entry(
                        QWEN3_CODER,
                        "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n"
                                + "<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>"),
                Map.entry(
                        QWEN3_CODER,
                        "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n"
                                + "<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>"),
                Map.entry(
                        QWEN3_CODER,
                        "<tool_call>\n<function=get_weather><parameter=city>Oslo</parameter>"
                                + "<parameter=days>2</parameter></tool_call>"),
                Map.entry(QWEN3_CODER, "<tool_call>\n" + CALL + "\n</tool_call>"),
                Map.entry(ToolFormat.LLAMA3, "{\"name\": \"get_weather\", \"parameters\": " + JSON + "}"),
                Map.entry(ToolFormat.LLAMA3, "<|python_tag|>{\"name\": \"get_weather\", \"parameters\": " + JSON + "}"),
                Map.entry(ToolFormat.MISTRAL, "[TOOL_CALLS][" + CALL + "]"),
                Map.entry(ToolFormat.MISTRAL, "[TOOL_CALLS] [" + CALL + "]"),
                Map.entry(ToolFormat.MISTRAL, "[TOOL_CALLS]get_weather[ARGS]" + JSON),
                Map.entry(ToolFormat.MISTRAL, "[TOOL_CALLS]get_weather[CALL_ID]abc123def[ARGS]" + JSON),
                Map.entry(ToolFormat.MISTRAL, "[TOOL_CALLS]get_weather" + JSON),
                Map.entry(ToolFormat.GEMMA, "<|tool_call>call:get_weather{city:<|\"|>Oslo<|\"|>,days:2}<tool_call|>"),
                Map.entry(
                        ToolFormat.GEMMA,
                        "<start_function_call>call:get_weather{city:<escape>Oslo<escape>,days:2}<end_function_call>"),
                Map.entry(
                        ToolFormat.GLM,
                        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n"
                                + "<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>"),
                Map.entry(
                        ToolFormat.GLM,
                        "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value>"
                                + "<arg_key>days</arg_key><arg_value>2</arg_value></tool_call>"),
                Map.entry(
                        ToolFormat.KIMI_K2,
                        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0"
                                + "<|tool_call_argument_begin|>" + JSON
                                + "<|tool_call_end|><|tool_calls_section_end|>"),
                Map.entry(
                        ToolFormat.MINIMAX,
                        "<minimax:tool_call>\n<invoke name=\"get_weather\">\n"
                                + "<parameter name=\"city\">Oslo</parameter>\n<parameter name=\"days\">2</parameter>\n"
                                + "</invoke>\n</minimax:tool_call>"),
                Map.entry(
                        ToolFormat.DEEPSEEK,
                        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>" + JSON
                                + "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"),
                Map.entry(
                        ToolFormat.DEEPSEEK,
                        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n" + "```json\n" + JSON
                                + "\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"),
                Map.entry(
                        ToolFormat.DSML,
                        "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"get_weather\">\n"
                                + "<｜DSML｜parameter name=\"city\" string=\"true\">Oslo</｜DSML｜parameter>\n"
                                + "<｜DSML｜parameter name=\"days\" string=\"false\">2</｜DSML｜parameter>\n"
                                + "</｜DSML｜invoke>\n</｜DSML｜tool_calls>"),
                Map.entry(ToolFormat.FUNCTIONARY, "<function=get_weather>" + JSON + "</function>"),
                Map.entry(ToolFormat.APRIEL, "<tool_calls>[" + CALL + "]</tool_calls>"),
                Map.entry(
                        ToolFormat.COHERE,
                        "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": "
                                + "\"get_weather\", \"parameters\": " + JSON + "}\n]<|END_ACTION|>"),
                Map.entry(ToolFormat.APERTUS, "<|tools_prefix|>[{\"get_weather\": " + JSON + "}]<|tools_suffix|>"),
                Map.entry(
                        ToolFormat.HARMONY,
                        "<|channel|>commentary to=functions.get_weather <|constrain|>json" + "<|message|>" + JSON
                                + "<|call|>"),
                Map.entry(ToolFormat.HARMONY, " to=functions.get_weather<|channel|>commentary json<|message|>" + JSON));
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void readsACall(Map.Entry<ToolFormat, String> spelling) {
        assertThat(Parsed.of(spelling.getKey(), spelling.getValue())).isEqualTo(new Parsed("", "", List.of(OSLO)));
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void readsTwoCallsBehindText(Map.Entry<ToolFormat, String> spelling) {
        boolean bare = spelling.getValue().strip().matches("(?s)[{\\[](?!TOOL_CALLS).*");
        String harmony = spelling.getKey() == ToolFormat.HARMONY ? "<|channel|>commentary<|message|>" : "";
        String text = bare ? "" : harmony + "Let me look.";
        String between = harmony.isEmpty() ? "" : "<|start|>assistant";
        String space = bare || !harmony.isEmpty() ? "" : "\n\n";
        String answer = text
                + (harmony.isEmpty() ? "" : "<|end|>" + between)
                + space
                + spelling.getValue()
                + (bare && spelling.getKey() == ToolFormat.LLAMA3 ? "; " : between)
                + spelling.getValue();

        assertThat(Parsed.of(spelling.getKey(), answer))
                .isEqualTo(new Parsed(bare ? "" : "Let me look.", "", List.of(OSLO, OSLO)));
    }

    /** Whatever is cut off, a call is whole or none, and the marks do not show. */
    @ParameterizedTest
    @MethodSource("spellings")
    void makesNoCallOfACutOne(Map.Entry<ToolFormat, String> spelling) {
        String answer = spelling.getValue();
        List<String> marks = spelling.getKey().syntax().openers().stream()
                .map(ToolSyntax.Opener::mark)
                .toList();
        for (int length = 0; length < answer.length(); length++) {
            Parsed parsed =
                    Parsed.of(spelling.getKey(), answer.substring(0, length).stripTrailing());

            assertThat(parsed.calls()).as(answer.substring(0, length)).isSubsetOf(OSLO);
            assertThat(marks)
                    .as(answer.substring(0, length))
                    .noneMatch(mark -> parsed.text().contains(mark));
            if (!parsed.calls().isEmpty()) {
                assertThat(parsed.text()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(ToolFormat.class)
    void leavesTextAsItIs(ToolFormat format) {
        for (String text : List.of(
                "Plain text.\n\nWith lines.\n",
                "  leading and trailing  ",
                "if (a < b && c > d) { return \"[x]\"; }",
                "{\"answer\": 42, \"name\": \"x\"}",
                "[1, 2, {\"name\": 3}]",
                "{not json",
                "<b>bold</b> <function> [TOOL] ```json\n{}\n``` <|x|>",
                "<",
                "",
                "{\"name\": \"nobody\", \"arguments\": {}} and so on",
                "\n\n\n",
                "a\u0000b 😀 é")) {
            assertThat(Parsed.of(format, text)).isEqualTo(new Parsed(text, "", List.of()));
        }
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void leavesMarksInProse(Map.Entry<ToolFormat, String> spelling) {
        ToolFormat format = spelling.getKey();
        for (ToolSyntax.Opener opener : format.syntax().openers()) {
            String text = "A call begins with `" + opener.mark() + "` and then `name` follows.\n\nOK? " + opener.mark()
                    + " is all.";
            assertThat(Parsed.of(format, text)).isEqualTo(new Parsed(text, "", List.of()));
        }
    }

    @Test
    void showsTextAtOnce() {
        OutputFormat format = new OutputFormat(ReasoningFormat.NONE, HERMES);
        List<String> pieces = List.of("Hel", "lo", " wor", "ld <", "b> ", "`<tool_", "call>`", " is", " it", ".");

        assertThat(Parsed.shownAsItComes(format, pieces))
                .containsExactly("Hel", "lo", " wor", "ld", " <b>", " `", "<tool_call>`", " is", " it", ".");
    }

    @Test
    void showsJsonThatIsNoCallAtOnce() {
        OutputFormat format = new OutputFormat(ReasoningFormat.NONE, HERMES);

        assertThat(Parsed.shownAsItComes(format, List.of("{\"ci", "ty\":", " \"Oslo\"", ", \"d")))
                .containsExactly("{\"ci", "ty\":", " \"Oslo\"", ", \"d");
    }

    @Test
    void keepsClosingMarksWithinArguments() {
        assertThat(Parsed.of(
                        HERMES,
                        "<tool_call>{\"name\":\"write\",\"arguments\":{\"path\":\"a\",\"text\":\"x </tool_call> y\"}}"
                                + "</tool_call>"))
                .isEqualTo(new Parsed("", "", List.of("write {\"path\":\"a\",\"text\":\"x </tool_call> y\"}")));
        assertThat(Parsed.of(
                        QWEN3_CODER,
                        "<tool_call>\n<function=write>\n<parameter=text>\na </parameter> b </function>\n</tool_call>\n"
                                + "</parameter>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>"))
                .isEqualTo(new Parsed(
                        "",
                        "",
                        List.of("write {\"text\":\"a </parameter> b </function>\\n</tool_call>\",\"path\":\"a\"}")));
    }

    @Test
    void typesWhatIsOnlySpelled() {
        assertThat(spelled(
                        "city", "5", "days", "5", "f", "1.50", "b", "True", "tags", "[1, \"x\"]", "o", "{\"a\": null}"))
                .isEqualTo("{\"city\":\"5\",\"days\":5,\"f\":1.50,\"b\":true,\"tags\":[1,\"x\"],\"o\":{\"a\":null}}");
        assertThat(spelled("city", "true", "z", "None", "days", "many", "undeclared", "{\"a\": 1}", "other", "a b"))
                .isEqualTo(
                        "{\"city\":\"true\",\"z\":null,\"days\":\"many\",\"undeclared\":{\"a\":1},\"other\":\"a b\"}");
        assertThat(spelled("city", "\nline\n\nline\n", "days", "12345678901234567890"))
                .isEqualTo("{\"city\":\"\\nline\\n\\nline\\n\",\"days\":12345678901234567890}");
    }

    @Test
    void returnsWhatCannotBeRunAsText() {
        for (String body : List.of(
                "{\"name\": \"get_weather\", \"arguments\": {\"days\": 1}}",
                "{\"name\": \"unknown\", \"arguments\": {}}",
                "{\"name\": \"get_weather\", \"arguments\": [1]}",
                "{\"name\": \"get_weather\", \"arguments\": \"Oslo\"}",
                "{\"name\": \"get_weather\", \"arguments\": 1}",
                "{\"name\": \"get_weather\", \"arguments\": {\"city\": Oslo}}",
                "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"\\ud800\"}}",
                "{\"name\": \"get_weather\", \"arguments\": {\"city\": \"a\"",
                "{\"name\": \"get_weather\", \"arguments\": {\"city\" \"a\"}}")) {
            assertThat(Parsed.of(HERMES, "Look: <tool_call>\n" + body + "\n</tool_call> So."))
                    .isEqualTo(new Parsed("Look: \n" + body + "\n So.", "", List.of()));
        }
    }

    @Test
    void dropsBadCallsAlone() {
        String bad = "<tool_call>\n{\"name\": \"get_weather\"}\n</tool_call>\n";

        assertThat(Parsed.of(HERMES, bad + "<tool_call>\n" + CALL + "\n</tool_call>")
                        .calls())
                .containsExactly(OSLO);
        assertThat(Parsed.of(HERMES, "<tool_call>[{\"name\": \"x\"}, " + CALL + "]</tool_call>")
                        .calls())
                .containsExactly(OSLO);
    }

    @Test
    void takesCallsWithoutArguments() {
        assertThat(Parsed.of(HERMES, "<tool_call>{\"name\": \"get_time\"}</tool_call>")
                        .calls())
                .containsExactly("get_time {}");
        assertThat(Parsed.of(ToolFormat.GLM, "<tool_call>get_time\n</tool_call>")
                        .calls())
                .containsExactly("get_time {}");
        assertThat(Parsed.of(QWEN3_CODER, "<tool_call>\n<function=get_time>\n</function>\n</tool_call>")
                        .calls())
                .containsExactly("get_time {}");
        assertThat(Parsed.of(ToolFormat.GEMMA, "<|tool_call>call:get_time{}<tool_call|>")
                        .calls())
                .containsExactly("get_time {}");
    }

    @Test
    void takesNoCallsWhereNoneAreDeclared() {
        String answer = "<tool_call>\n" + CALL + "\n</tool_call>";

        assertThat(Parsed.of(new OutputFormat(ReasoningFormat.NONE, HERMES), "", DeclaredTools.NONE, answer))
                .isEqualTo(new Parsed(answer, "", List.of()));
    }

    @Test
    void givesTheModelsOwnIdBackAndElseOneOfItsFormat() {
        assertThat(ids(ToolFormat.KIMI_K2, "<|tool_call_begin|>functions.get_time:3<|tool_call_argument_begin|>{}"))
                .containsExactly("functions.get_time:3");
        assertThat(ids(ToolFormat.MISTRAL, "[TOOL_CALLS]get_time[ARGS]{}[TOOL_CALLS]get_time[ARGS]{}"))
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allMatch(id -> id.matches("[A-Za-z0-9]{9}"));
        assertThat(ids(HERMES, "<tool_call>{\"name\":\"get_time\"}</tool_call>"))
                .singleElement()
                .asString()
                .matches("call_[A-Za-z0-9]{24}");
        String twice = "{\"name\":\"get_time\",\"id\":\"a\"}";
        assertThat(ids(HERMES, "<tool_call>[" + twice + "," + twice + "]</tool_call>"))
                .doesNotHaveDuplicates()
                .contains("a");
    }

    @Test
    void survivesNestingAndLength() {
        String deep = "<tool_call>" + "{\"name\":".repeat(5000);
        assertThat(Parsed.of(HERMES, deep).calls()).isEmpty();
        String gemma = "<|tool_call>call:get_time{a:" + "[".repeat(5000);
        assertThat(Parsed.of(ToolFormat.GEMMA, gemma).calls()).isEmpty();

        OutputParser parser = new OutputFormat(ReasoningFormat.NONE, QWEN3_CODER)
                .parser("", DeclaredTools.of(List.of(Declarations.tool("f", "{}"))), new Random(1));
        StringBuilder text = new StringBuilder();
        String piece = "</parameter> <function=f><parameter=x>";
        parser.feed("<function=f><parameter=x>", out -> text.append(((Piece.Text) out).text()));
        for (int i = 0; i * piece.length() < 2 * ToolCallParser.MAX_CALL; i++) {
            parser.feed(piece, out -> text.append(((Piece.Text) out).text()));
        }
        assertThat(text.length()).isGreaterThan(ToolCallParser.MAX_CALL);
    }

    /** Noise of marks and JSON: never an exception, never a call that is not whole. */
    @ParameterizedTest
    @EnumSource(ToolFormat.class)
    void survivesNoise(ToolFormat format) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> parts = Stream.of(
                        spellings()
                                .filter(spelling -> spelling.getKey() == format)
                                .flatMap(spelling -> Parsed.split(spelling.getValue(), new Random(seed)).stream()),
                        format.syntax().openers().stream().map(ToolSyntax.Opener::mark),
                        format.syntax().closers().stream(),
                        Stream.of(
                                "{", "}", "\"", "<", "|", ">", "name", "get_time", CALL, "\n", " ", "text", "<think>"))
                .flatMap(stream -> stream)
                .toList();
        for (int i = 0; i < 100; i++) {
            StringBuilder answer = new StringBuilder();
            for (int n = random.nextInt(30); n > 0; n--) {
                answer.append(parts.get(random.nextInt(parts.size())));
            }
            assertThat(Parsed.of(format, answer.toString())).as("seed %d", seed).isNotNull();
        }
    }

    private static List<String> ids(ToolFormat format, String answer) {
        List<String> ids = new java.util.ArrayList<>();
        OutputParser parser = new OutputFormat(ReasoningFormat.NONE, format)
                .parser("", DeclaredTools.of(List.of(Declarations.tool("get_time", "{}"))));
        parser.feed(answer, piece -> ids.add(((Piece.ToolCall) piece).id()));
        parser.finish(piece -> {});
        return ids;
    }

    /** The arguments of a call whose values have no types of their own. */
    private static String spelled(String... namesAndValues) {
        StringBuilder call = new StringBuilder("<tool_call>get_weather\n");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            call.append("<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n"
                    .formatted(namesAndValues[i], namesAndValues[i + 1]));
        }
        String found = Parsed.of(ToolFormat.GLM, call + "</tool_call>").calls().getFirst();
        return found.substring(found.indexOf(' ') + 1);
    }
}
