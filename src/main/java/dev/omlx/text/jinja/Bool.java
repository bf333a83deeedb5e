package dev.omlx.text.jinja;

/** Python's {@code bool}, which counts as the integers 0 and 1. */
enum Bool implements Value {
    FALSE,
    TRUE;

    static Bool of(boolean value) {
        return value ? TRUE : FALSE;
    }

    boolean isTrue() {
        return this == TRUE;
    }

    Int toInt() {
        return Int.of(ordinal());
    }

    @Override
    public String typeName() {
        return "bool";
    }
}
