package dev.omlx.parse;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a model writes what is not plain text.
 *
 * @param reasoning how it marks its thoughts; {@link ToolFormat#HARMONY} has marks of its own, and ignores this
 * @param tools how it calls tools
 */
public record OutputFormat(ReasoningFormat reasoning, ToolFormat tools) {
    /** Plain text. */
    public static final OutputFormat PLAIN = new OutputFormat(ReasoningFormat.NONE, ToolFormat.NONE);

    private static final RandomGenerator RANDOM = new SecureRandom();

    /** The format that a chat template shows to its model. */
    public static OutputFormat of(String template) {
        ToolFormat tools = ToolFormat.of(template);
        ReasoningFormat reasoning = tools == ToolFormat.HARMONY
                ? ReasoningFormat.NONE
                : Arrays.stream(ReasoningFormat.values())
                        .filter(format -> format.isIn(template))
                        .findFirst()
                        .orElse(ReasoningFormat.NONE);
        return new OutputFormat(reasoning, tools);
    }

    /** The same, where a setting does not say otherwise. */
    public OutputFormat with(@Nullable ReasoningFormat otherReasoning, @Nullable ToolFormat otherTools) {
        return new OutputFormat(
                otherReasoning == null ? reasoning : otherReasoning, otherTools == null ? tools : otherTools);
    }

    /**
     * A parser for one answer.
     *
     * @param prompt what the model continues: it may have begun the thinking
     * @param declared what may be called; calls are left in the text if nothing is
     */
    public OutputParser parser(String prompt, DeclaredTools declared) {
        return parser(prompt, declared, RANDOM);
    }

    OutputParser parser(String prompt, DeclaredTools declared, RandomGenerator random) {
        CallIds ids = new CallIds(tools.ids(random));
        if (tools == ToolFormat.HARMONY) {
            return new HarmonyParser(declared, ids);
        }
        if (reasoning == ReasoningFormat.NONE) {
            return rest(declared, ids, 0);
        }
        return new ReasoningParser(reasoning, reasoning.opens(prompt), start -> rest(declared, ids, start));
    }

    /** Whether the model marks thoughts at all. */
    public boolean hasReasoning() {
        return tools == ToolFormat.HARMONY || reasoning != ReasoningFormat.NONE;
    }

    /**
     * Follows the thoughts of one answer, of a model that {@linkplain #hasReasoning() marks them}.
     *
     * @param prompt what the model continues: it may have begun the thinking
     */
    public ReasoningTracker tracker(String prompt) {
        return tools == ToolFormat.HARMONY ? new HarmonyTracker() : new TagTracker(reasoning, reasoning.opens(prompt));
    }

    /** What a model writes to end its thoughts and begin its answer, the mark first; empty if it marks none. */
    public String reasoningEnd() {
        return tools == ToolFormat.HARMONY
                ? HarmonyTracker.END + "<|start|>assistant<|channel|>final<|message|>"
                : reasoning.end();
    }

    /** How much of {@link #reasoningEnd()} is the mark alone. */
    public int reasoningMarkLength() {
        return (tools == ToolFormat.HARMONY ? HarmonyTracker.END : reasoning.close()).length();
    }

    private OutputParser rest(DeclaredTools declared, CallIds ids, int start) {
        return tools == ToolFormat.NONE || declared.isEmpty()
                ? new PlainParser(start)
                : new ToolCallParser(tools.syntax(), declared, ids, start);
    }
}
