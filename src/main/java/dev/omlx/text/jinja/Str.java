package dev.omlx.text.jinja;

/** Python's {@code str}. Lengths and positions in templates count code points. */
final class Str implements Value {
    static final Str EMPTY = new Str("", false);

    private final String text;
    private final boolean markup;
    // Counted on demand. Constants are shared between renderings, but a race only counts twice.
    private int length = -1;

    private Str(String text, boolean markup) {
        this.text = text;
        this.markup = markup;
    }

    static Str of(String text) {
        return text.isEmpty() ? EMPTY : new Str(text, false);
    }

    /** A text marked as HTML-safe, so that what is added to it gets escaped. */
    static Str markup(String text) {
        return new Str(text, true);
    }

    /** A text of the same kind. */
    Str like(String other) {
        return markup ? markup(other) : of(other);
    }

    String text() {
        return text;
    }

    boolean markup() {
        return markup;
    }

    /** The number of code points. */
    int length() {
        int known = length;
        if (known < 0) {
            known = text.codePointCount(0, text.length());
            length = known;
        }
        return known;
    }

    /** Whether code points and UTF-16 units are the same. */
    boolean isPlain() {
        return length() == text.length();
    }

    @Override
    public String typeName() {
        return markup ? "Markup" : "str";
    }
}
