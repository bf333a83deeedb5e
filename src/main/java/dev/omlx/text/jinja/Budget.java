package dev.omlx.text.jinja;

/** What one rendering may still use: steps, depth and text length. Confined to the rendering thread. */
final class Budget {
    /** Characters that are copied or compared for the price of one step. */
    private static final int CHARACTERS_PER_STEP = 8;

    /** What an element of a list costs, in characters. */
    private static final int ELEMENT = 4;

    /** Searching for a text up to this long costs no more than reading the text that is searched. */
    private static final int SHORT_NEEDLE = 64;

    private final int maxLength;
    private long steps;
    private int depth;

    Budget(long maxSteps, int maxLength) {
        this.steps = maxSteps;
        this.maxLength = maxLength;
    }

    /** Takes one step. */
    void step() {
        if (--steps < 0) {
            throw exhausted();
        }
    }

    /** Pays for reading, copying or comparing so many characters. */
    void copy(long characters) {
        steps -= characters / CHARACTERS_PER_STEP;
        if (steps < 0) {
            throw exhausted();
        }
    }

    /** Pays for searching a text, which in the worst case takes the product of the lengths. */
    void search(String text, String wanted) {
        copy(text.length() * (1L + wanted.length() / SHORT_NEEDLE));
    }

    /** Checks the length of a text that is about to be made, and pays for it. */
    void text(long length) {
        text(length, length);
    }

    /** Checks the length of a text that is about to grow to it, and pays for what is added. */
    void text(long length, long added) {
        if (length > maxLength) {
            throw JinjaException.limit("The template makes a text of more than " + maxLength + " characters");
        }
        copy(added);
    }

    /** Checks the size of a list that is about to be made, and pays for it. */
    void list(long size) {
        if (size > maxLength) {
            throw JinjaException.limit("The template makes a list of more than " + maxLength + " elements");
        }
        copy(size * ELEMENT);
    }

    /** One level deeper. A failure ends the rendering, so {@link #leave} need not run then. */
    void enter() {
        step();
        if (++depth > Limits.EVALUATION_DEPTH) {
            throw JinjaException.limit("The template nests more than " + Limits.EVALUATION_DEPTH
                    + " levels; a macro that calls itself without end does that");
        }
    }

    void leave() {
        depth--;
    }

    private static JinjaException exhausted() {
        return JinjaException.limit("The template takes too many steps");
    }
}
