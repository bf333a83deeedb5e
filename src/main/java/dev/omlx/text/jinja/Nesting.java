package dev.omlx.text.jinja;

/** Counts how deep something recurses, and refuses to go too deep. */
final class Nesting {
    private final int most;
    private int depth;

    Nesting(int most) {
        this.most = most;
    }

    /**
     * One level deeper.
     *
     * @throws JinjaException beyond the limit
     */
    void enter(int line) {
        if (++depth > most) {
            throw JinjaException.limit("The template's source nests more than " + most + " levels")
                    .at(line);
        }
    }

    void leave() {
        depth--;
    }
}
