package dev.omlx.text.jinja;

/** Python's {@code bool}, which counts as the integers 0 and 1. */
enum Bool implements Value {
    FALSE(0),
    TRUE(1);

    private final int number;

    Bool(int number) {
        this.number = number;
    }

    static Bool of(boolean value) {
        return value ? TRUE : FALSE;
    }

    boolean isTrue() {
        return this == TRUE;
    }

    /** 0 or 1. */
    int number() {
        return number;
    }

    Int toInt() {
        return Int.of(number);
    }

    @Override
    public String typeName() {
        return "bool";
    }
}
