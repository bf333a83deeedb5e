package dev.omlx.testsupport;

import dev.omlx.parse.ReasoningFormat;

/** How models of each format begin to think, as their makers say. */
public final class ReasoningMarks {
    private ReasoningMarks() {}

    public static String open(ReasoningFormat format) {
        return switch (format) {
            case NONE -> "";
            case THINK -> "<think>";
            case MINIMAX -> "<mm:think>";
            case OPENSOURCE -> "<think:opensource>";
            case SEED -> "<seed:think>";
            case APRIEL -> "<thinking>";
            case MISTRAL -> "[THINK]";
            case COHERE -> "<|START_THINKING|>";
            case APERTUS -> "<|inner_prefix|>";
            case GEMMA -> "<|channel>thought";
        };
    }
}
