package dev.omlx.text.jinja;

/** The fixed bounds of the sandbox; the adjustable ones are in {@link RenderOptions}. */
final class Limits {
    /** Nested expressions and statements in a source; keeps the parser's own recursion shallow. */
    static final int SOURCE_NESTING = 120;

    /** Height of an expression tree, which long operator chains build up without nesting. */
    static final int TREE_HEIGHT = 600;

    /** Nested evaluations, macro calls included, and nesting of data that is printed or compared. */
    static final int EVALUATION_DEPTH = 1_000;

    /** Elements of one {@code range}. */
    static final int RANGE_LENGTH = 100_000;

    /** Bits of an integer. */
    static final int INTEGER_BITS = 1 << 14;

    /** Digits of a float after the point, or significant ones. */
    static final int FLOAT_DIGITS = 10_000;

    /** UTF-16 units of a template's source. */
    static final int SOURCE_LENGTH = 1024 * 1024;

    private Limits() {}
}
