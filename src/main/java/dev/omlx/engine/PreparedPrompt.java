package dev.omlx.engine;

import dev.omlx.parse.OutputParser;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A prompt as the model gets it, and how to read what the model makes of it.
 *
 * @param ids its tokens
 * @param parsers gives a parser for each answer
 * @param budgets gives each answer its thinking budget of so many tokens; null where the model marks no thoughts
 */
record PreparedPrompt(int[] ids, Supplier<OutputParser> parsers, IntFunction<@Nullable ThinkingBudget> budgets) {
    /** A prompt whose answer is text and nothing else. */
    PreparedPrompt(int[] ids) {
        this(ids, OutputParser::plain, most -> null);
    }

    /** @param most tokens to think; null for any number */
    @Nullable
    ThinkingBudget budget(@Nullable Integer most) {
        return most == null ? null : budgets.apply(most);
    }
}
