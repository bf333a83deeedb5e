package dev.omlx.text.jinja;

/**
 * One token of a template.
 *
 * @param text the text outside tags, the name, the operator, the digits, or the string's content
 */
record Token(Kind kind, String text, int line) {
    enum Kind {
        DATA("text"),
        BLOCK_BEGIN("{%"),
        BLOCK_END("%}"),
        VARIABLE_BEGIN("{{"),
        VARIABLE_END("}}"),
        NAME("a name"),
        STRING("a string"),
        INTEGER("an integer"),
        FLOAT("a float"),
        OPERATOR("an operator"),
        END("the end of the template");

        private final String description;

        Kind(String description) {
            this.description = description;
        }

        String description() {
            return description;
        }
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    boolean isName(String name) {
        return kind == Kind.NAME && text.equals(name);
    }

    boolean isOperator(String operator) {
        return kind == Kind.OPERATOR && text.equals(operator);
    }

    /** The token as a message shows it. */
    String describe() {
        return kind == Kind.NAME || kind == Kind.OPERATOR ? "'" + text + "'" : kind.description();
    }
}
