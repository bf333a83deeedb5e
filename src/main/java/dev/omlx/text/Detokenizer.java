package dev.omlx.text;

/**
 * Turns the tokens of one sequence into text as they arrive. What {@link #add} and {@link #finish} return, joined, is
 * {@link Tokenizer#decode} of all the ids, and no part of it ever splits a character. Not thread-safe; one per sequence.
 */
public final class Detokenizer {

    private final Vocabulary vocabulary;
    private final boolean skipSpecials;
    private final Utf8Stream utf8 = new Utf8Stream();
    private final StringBuilder text = new StringBuilder();
    private boolean first = true;
    private int spacesToSkip;

    Detokenizer(Vocabulary vocabulary, boolean skipSpecials) {
        this.vocabulary = vocabulary;
        this.skipSpecials = skipSpecials;
        this.spacesToSkip = vocabulary.leadingSpaces();
    }

    /** Takes the next token; returns the text that is now certain, often empty. An id without a token adds nothing. */
    public String add(int id) {
        append(id);
        return take();
    }

    /**
     * Ends the sequence. Bytes of a character that never came to its end are dropped, so there is nothing left to
     * return; the method exists so that callers need not know that.
     */
    public String finish() {
        return take();
    }

    void append(int id) {
        if (!vocabulary.contains(id) || (skipSpecials && vocabulary.isSpecial(id))) {
            return;
        }
        int skipped = 0;
        if (spacesToSkip > 0) {
            skipped = vocabulary.spacesAtStart(id, spacesToSkip);
            boolean onlySpaces = skipped == vocabulary.length(id);
            spacesToSkip = onlySpaces ? spacesToSkip - skipped : 0;
        }
        vocabulary.append(id, first, skipped, utf8, text);
        first = false;
    }

    String take() {
        if (text.isEmpty()) {
            return "";
        }
        String taken = text.toString();
        text.setLength(0);
        return taken;
    }
}
