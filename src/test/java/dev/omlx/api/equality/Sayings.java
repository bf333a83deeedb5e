package dev.omlx.api.equality;

import dev.omlx.parse.OutputFormat;
import dev.omlx.parse.ToolFormat;
import dev.omlx.testsupport.ReasoningMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What models of all formats say, and what models say that have lost their way. */
final class Sayings {
    /** What all requests that declare tools declare. */
    static final String WEATHER = "get_weather";

    private static final String JSON = "{\"city\": \"Oslo\", \"days\": 2}";
    private static final String CALL = "{\"name\": \"get_weather\", \"arguments\": " + JSON + "}";
    private static final Pattern MARK = Pattern.compile("<[|｜/]?[^<>\\s]{1,40}>|\\[/?[A-Z_]{3,20}]");
    private static final List<String> PROSE = List.of(
            "It is",
            " warm",
            ".\n\n",
            " 😀",
            "END",
            " é",
            "`<tool_call>`",
            " <b>",
            "{",
            "}",
            "[1, 2]",
            "\"",
            "\\",
            "  ",
            "</");

    private final Random random;

    Sayings(Random random) {
        this.random = random;
    }

    /**
     * What a model says.
     *
     * @param promptEnd how its prompt ends, which may have begun the thinking
     * @param tokens as it is cut
     * @param specials tokens of which users see nothing
     */
    record Saying(String promptEnd, List<String> tokens, Set<String> specials) {}

    /** Thoughts, a text and a call, as the format wants them. */
    Saying orderly(OutputFormat format) {
        boolean begun = random.nextBoolean() && format.tools() != ToolFormat.HARMONY;
        String said = format.tools() == ToolFormat.HARMONY
                ? "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>I look."
                        + "<|end|><|start|>assistant" + call(format.tools())
                : (begun ? "" : open(format)) + "Hm." + close(format) + "I look.\n" + call(format.tools());
        return cut(begun ? open(format) : "", said);
    }

    /** Anything. */
    Saying random(OutputFormat format) {
        List<String> marks = new ArrayList<>();
        Matcher matcher = MARK.matcher(open(format) + close(format) + call(format.tools()));
        while (matcher.find()) {
            marks.add(matcher.group());
        }
        String call = call(format.tools());
        StringBuilder said = new StringBuilder(random.nextBoolean() ? open(format) : "");
        for (int n = random.nextInt(10); n > 0; n--) {
            said.append(
                    switch (random.nextInt(8)) {
                        case 0 -> call;
                        case 1 -> call.substring(random.nextInt(call.length() + 1));
                        case 2 -> call.substring(0, random.nextInt(call.length() + 1));
                        case 3 -> marks.isEmpty() ? "" : marks.get(random.nextInt(marks.size()));
                        case 4 -> random.nextBoolean() ? close(format) : open(format);
                        default -> PROSE.get(random.nextInt(PROSE.size()));
                    });
        }
        return cut(random.nextBoolean() ? open(format) : "", said.toString());
    }

    /** Tokens of one to five characters, or a mark a token. */
    private Saying cut(String promptEnd, String text) {
        Set<String> specials = new TreeSet<>();
        List<String> tokens = new ArrayList<>();
        boolean marksAreTokens = random.nextBoolean();
        int at = 0;
        Matcher mark = MARK.matcher(text);
        while (at < text.length()) {
            int end;
            if (marksAreTokens && mark.region(at, text.length()).lookingAt()) {
                end = mark.end();
                specials.add(mark.group());
            } else {
                end = Math.min(text.length(), at + 1 + random.nextInt(5));
                int next = marksAreTokens && mark.region(at + 1, text.length()).find() ? mark.start() : text.length();
                end = Math.min(end, next);
                end += Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
            }
            tokens.add(text.substring(at, end));
            at = end;
        }
        return new Saying(promptEnd, tokens, specials);
    }

    private static String open(OutputFormat format) {
        if (format.tools() == ToolFormat.HARMONY) {
            return "<|channel|>analysis<|message|>";
        }
        return ReasoningMarks.open(format.reasoning());
    }

    private static String close(OutputFormat format) {
        return format.reasoningEnd();
    }

    private static String call(ToolFormat format) {
        return switch (format) {
            case NONE -> "";
            case HARMONY ->
                "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>" + JSON + "<|call|>";
            case DSML ->
                "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"get_weather\">\n"
                        + "<｜DSML｜parameter name=\"city\" string=\"true\">Oslo</｜DSML｜parameter>\n"
                        + "<｜DSML｜parameter name=\"days\" string=\"false\">2</｜DSML｜parameter>\n"
                        + "</｜DSML｜invoke>\n</｜DSML｜tool_calls>";
            case MINIMAX ->
                "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Oslo</parameter>\n"
                        + "<parameter name=\"days\">2</parameter>\n</invoke>\n</minimax:tool_call>";
            case KIMI_K2 ->
                "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
                        + JSON + "<|tool_call_end|><|tool_calls_section_end|>";
            case DEEPSEEK ->
                "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>" + JSON
                        + "<｜tool▁call▁end｜><｜tool▁calls▁end｜>";
            case MISTRAL -> "[TOOL_CALLS]get_weather[ARGS]" + JSON;
            case GEMMA -> "<|tool_call>call:get_weather{city:<|\"|>Oslo<|\"|>,days:2}<tool_call|>";
            case GLM ->
                "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n"
                        + "<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>";
            case QWEN3_CODER ->
                "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n"
                        + "<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>";
            case FUNCTIONARY -> "<function=get_weather>" + JSON + "</function>";
            case APRIEL -> "<tool_calls>[" + CALL + "]</tool_calls>";
            case COHERE ->
                "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": " + JSON
                        + "}]<|END_ACTION|>";
            case APERTUS -> "<|tools_prefix|>[{\"get_weather\": " + JSON + "}]<|tools_suffix|>";
            case HERMES -> "<tool_call>\n" + CALL + "\n</tool_call>";
            case LLAMA3 -> "<|python_tag|>{\"name\": \"get_weather\", \"parameters\": " + JSON + "}";
        };
    }
}
