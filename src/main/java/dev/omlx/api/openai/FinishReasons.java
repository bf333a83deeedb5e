package dev.omlx.api.openai;

import dev.omlx.engine.api.FinishReason;

/** The words for {@code finish_reason}; clients refuse others than OpenAI's own. */
final class FinishReasons {
    private FinishReasons() {}

    static String of(FinishReason reason) {
        return switch (reason) {
            case STOP -> "stop";
            case TOOL_CALLS -> "tool_calls";
            case LENGTH -> "length";
        };
    }
}
