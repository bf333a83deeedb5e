package dev.omlx.parse;

import java.util.function.Consumer;

/** Takes everything for text. */
final class PlainParser implements OutputParser {
    private int start;

    PlainParser() {
        this(0);
    }

    /** @param start where in the answer it begins */
    PlainParser(int start) {
        this.start = start;
    }

    @Override
    public void feed(String text, Consumer<Piece> out) {
        if (!text.isEmpty()) {
            out.accept(new Piece.Text(start, text));
            start += text.length();
        }
    }

    @Override
    public void finish(Consumer<Piece> out) {}
}
