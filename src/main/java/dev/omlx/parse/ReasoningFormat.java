package dev.omlx.parse;

/** How a model marks what it thinks, at the beginning of an answer. */
public enum ReasoningFormat {
    /** Not at all. */
    NONE("", ""),
    /** Qwen, DeepSeek, GLM, Nemotron and most others. */
    THINK("<think>", "</think>"),
    MINIMAX("<mm:think>", "</mm:think>"),
    OPENSOURCE("<think:opensource>", "</think:opensource>"),
    SEED("<seed:think>", "</seed:think>"),
    APRIEL("<thinking>", "</thinking>"),
    MISTRAL("[THINK]", "[/THINK]"),
    COHERE("<|START_THINKING|>", "<|END_THINKING|>"),
    APERTUS("<|inner_prefix|>", "<|inner_suffix|>"),
    /** Gemma 4, whose thoughts are a channel of their own. */
    GEMMA("<|channel>thought", "<channel|>");

    private final String open;
    private final String close;

    ReasoningFormat(String open, String close) {
        this.open = open;
        this.close = close;
    }

    String open() {
        return open;
    }

    String close() {
        return close;
    }

    /** What models write when they end their thoughts: after a tag an empty line, after a token of its own nothing. */
    String end() {
        return close.startsWith("</") ? close + "\n\n" : close;
    }

    /** Whether a template knows these marks; some only cut thoughts of earlier turns away, by the closing one. */
    boolean isIn(String template) {
        return this != NONE && (template.contains(open) || template.contains(close));
    }

    /** Whether a prompt ends where thinking has begun. */
    boolean opens(String prompt) {
        return this != NONE && prompt.stripTrailing().endsWith(open);
    }
}
