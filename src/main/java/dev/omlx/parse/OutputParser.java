package dev.omlx.parse;

import java.util.function.Consumer;

/**
 * Reads one answer as it comes. Everything but markup comes out again, in order, at once where it cannot be the
 * beginning of markup; a call comes out when it is whole. Not thread-safe; one per answer.
 */
public interface OutputParser {
    /** Takes more of the answer. */
    void feed(String text, Consumer<Piece> out);

    /** The answer has ended: what was held back comes out. */
    void finish(Consumer<Piece> out);

    /** For text that has no markup. */
    static OutputParser plain() {
        return new PlainParser();
    }
}
