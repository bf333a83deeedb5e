package dev.omlx.parse;

import dev.omlx.parse.ToolSyntax.Opener;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** How a model writes tool calls. All but {@link #NONE} and {@link #HARMONY} take bare JSON for a call, too. */
public enum ToolFormat {
    /** Calls are left in the text. */
    NONE(new ToolSyntax(List.of(), List.of())),

    /** gpt-oss: a message to a function, on a channel; see {@link HarmonyParser}. */
    HARMONY(new ToolSyntax(List.of(), List.of())),

    /** DeepSeek since V3.2. */
    DSML(new ToolSyntax(
            List.of(
                    Opener.section("<｜DSML｜tool_calls>", Tags.DSML),
                    Opener.section("<｜DSML｜function_calls>", Tags.DSML),
                    Tags.DSML),
            List.of("</｜DSML｜tool_calls>", "</｜DSML｜function_calls>"))),

    MINIMAX(ToolSyntax.sections("<minimax:tool_call>", "</minimax:tool_call>", Tags.INVOKE, List.of())),

    KIMI_K2(ToolSyntax.sections(
            "<|tool_calls_section_begin|>",
            "<|tool_calls_section_end|>",
            new Opener("<|tool_call_begin|>", tools -> JsonCallReader.ofArguments(Headers.KIMI)),
            List.of("<|tool_call_end|>"))),

    /** DeepSeek up to V3.1. */
    DEEPSEEK(ToolSyntax.sections(
            "<｜tool▁calls▁begin｜>",
            "<｜tool▁calls▁end｜>",
            new Opener("<｜tool▁call▁begin｜>", tools -> JsonCallReader.ofArguments(Headers.DEEPSEEK)),
            List.of("<｜tool▁call▁end｜>", "```"))),

    /** Arrays of calls, or names before their arguments. */
    MISTRAL(new ToolSyntax(
            List.of(new Opener("[TOOL_CALLS]", tools -> JsonCallReader.ofBoth(Headers.MISTRAL, tools))),
            List.of("[/TOOL_CALLS]"))),

    /** Gemma 4, and FunctionGemma. */
    GEMMA(new ToolSyntax(
            List.of(
                    new Opener("<|tool_call>", tools -> new GemmaCallReader("<|\"|>")),
                    new Opener("<start_function_call>", tools -> new GemmaCallReader("<escape>"))),
            List.of("<tool_call|>", "<end_function_call>"))),

    GLM(ToolSyntax.between("<tool_call>", "</tool_call>", tools -> new TaggedCallReader(TagDialect.GLM))),

    /** Qwen3-Coder, Qwen3.5, Nemotron 3, Step 3.5. */
    QWEN3_CODER(ToolSyntax.sections("<tool_call>", "</tool_call>", Tags.FUNCTION, List.of())),

    FUNCTIONARY(
            ToolSyntax.between("<function=", "</function>", tools -> JsonCallReader.ofArguments(Headers.FUNCTIONARY))),

    APRIEL(ToolSyntax.between("<tool_calls>", "</tool_calls>", JsonCallReader::ofCalls)),

    COHERE(ToolSyntax.between("<|START_ACTION|>", "<|END_ACTION|>", JsonCallReader::ofCalls)),

    APERTUS(ToolSyntax.between("<|tools_prefix|>", "<|tools_suffix|>", JsonCallReader::ofCalls)),

    /** JSON in tags: Hermes, Qwen 2.5 and 3, and many others. */
    HERMES(ToolSyntax.between("<tool_call>", "</tool_call>", JsonCallReader::ofCalls)),

    /** Llama 3: bare JSON, perhaps behind a mark. */
    LLAMA3(new ToolSyntax(List.of(new Opener("<|python_tag|>", BareCallReader::new)), List.of()));

    /** Headers of calls whose arguments alone are JSON. */
    private static final class Headers {
        static final Pattern KIMI =
                Pattern.compile("(?<id>(?:functions\\.)?(?<name>[\\w.-]{1,128}?)(?::\\d{1,6})?)\\s{0,8}"
                        + Pattern.quote("<|tool_call_argument_begin|>") + "\\s{0,8}");
        static final Pattern DEEPSEEK = Pattern.compile(
                "(?:function<｜tool▁sep｜>)?(?<name>[\\w.-]{1,128})(?:<｜tool▁sep｜>|\\s{0,8}```json)\\s{0,8}");
        static final Pattern MISTRAL =
                Pattern.compile("(?<name>[\\w.-]{1,128})(?:\\[CALL_ID](?<id>\\w{1,64}))?(?:\\[ARGS])?\\s{0,8}");
        static final Pattern FUNCTIONARY = Pattern.compile("(?<name>[\\w.-]{1,128})>\\s{0,8}");
    }

    /** Calls that are written with tags. */
    private static final class Tags {
        static final Opener FUNCTION = new Opener("<function=", tools -> new TaggedCallReader(TagDialect.QWEN));
        static final Opener INVOKE =
                new Opener("<invoke name=\"", tools -> new TaggedCallReader(TagDialect.invoke("")));
        static final Opener DSML =
                new Opener("<｜DSML｜invoke name=\"", tools -> new TaggedCallReader(TagDialect.invoke("｜DSML｜")));
    }

    private static final int ID_LETTERS = 24;
    /** Mistral's templates take ids of this length alone. */
    private static final int MISTRAL_ID_LETTERS = 9;

    private final ToolSyntax syntax;

    ToolFormat(ToolSyntax syntax) {
        this.syntax = syntax;
    }

    ToolSyntax syntax() {
        return syntax;
    }

    /** Makes up ids that the model's template takes back. */
    Supplier<String> ids(RandomGenerator random) {
        return this == MISTRAL
                ? CallIds.random(random, "", MISTRAL_ID_LETTERS)
                : CallIds.random(random, "call_", ID_LETTERS);
    }

    /** The format that a chat template shows to its model; {@link #HERMES}, which most models know, if it shows none. */
    static ToolFormat of(String template) {
        if (HarmonyParser.isIn(template)) {
            return HARMONY;
        }
        if (template.contains("｜DSML｜")) {
            return DSML;
        }
        if (template.contains("<parameter=")) {
            return QWEN3_CODER;
        }
        if (template.contains("<arg_key>")) {
            return GLM;
        }
        for (ToolFormat format : List.of(MINIMAX, KIMI_K2, DEEPSEEK, MISTRAL, GEMMA, FUNCTIONARY, APRIEL, COHERE)) {
            if (format.syntax.openers().stream().anyMatch(opener -> template.contains(opener.mark()))) {
                return format;
            }
        }
        if (template.contains("<|tools_prefix|>")) {
            return APERTUS;
        }
        boolean llama = template.contains("<|python_tag|>") || template.contains("<|start_header_id|>");
        return llama && !template.contains("<tool_call>") ? LLAMA3 : HERMES;
    }
}
