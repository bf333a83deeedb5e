package dev.omlx.text;

/**
 * A token that is recognised by its text before any merging.
 *
 * @param text never empty
 * @param special left out of decoded text
 * @param singleWord recognised only where no word character touches it
 */
public record AddedToken(int id, String text, boolean special, boolean singleWord) {

    /**
     * Whether the token steers the model and must therefore never come out of text that a user wrote: every special
     * token, and those with the shape of a turn marker ({@code <|user|>}, {@code <｜User｜>}), which some vocabularies
     * leave unmarked. Tags such as {@code <think>} or {@code <tool_call>} are ordinary text unless marked special.
     */
    public boolean control() {
        return special || text.startsWith("<|") || text.endsWith("|>") || text.startsWith("<｜") || text.endsWith("｜>");
    }
}
