package dev.omlx.parse;

/**
 * Follows whether an answer is within its thoughts, for whoever must know that while the answer is made and before it is
 * taken apart. Not thread-safe; one per answer.
 */
public interface ReasoningTracker {
    /** Where an answer stands. */
    enum State {
        /** Thoughts may begin here. */
        BEFORE,
        THINKING,
        /** No thoughts follow here. */
        AFTER
    }

    /**
     * Takes more of the answer.
     *
     * @param text of which nothing but the ASCII characters matters
     */
    void feed(String text);

    State state();

    /** How many characters of {@link OutputFormat#reasoningEnd()} end what was taken so far, while it is thought. */
    int endMatched();
}
