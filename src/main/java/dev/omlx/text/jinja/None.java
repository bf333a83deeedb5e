package dev.omlx.text.jinja;

/** Python's {@code None}. */
enum None implements Value {
    NONE;

    @Override
    public String typeName() {
        return "NoneType";
    }
}
