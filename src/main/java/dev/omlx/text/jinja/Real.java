package dev.omlx.text.jinja;

/** Python's {@code float}. */
record Real(double value) implements Value {
    @Override
    public String typeName() {
        return "float";
    }
}
