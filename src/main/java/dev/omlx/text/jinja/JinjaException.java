package dev.omlx.text.jinja;

/**
 * Why a template couldn't be compiled or rendered. For {@link Kind#RAISED} the message is the template's own, word for
 * word, and may be shown to whoever sent the conversation.
 */
public final class JinjaException extends RuntimeException {
    /** Who has to act on the failure. */
    public enum Kind {
        /** The source is not a valid template. */
        SYNTAX,
        /** The template called {@code raise_exception}: it does not accept this conversation. */
        RAISED,
        /** An operation failed on the given data, such as adding a number to a string. */
        RUNTIME,
        /** A limit on steps, output, depth or size was reached. */
        LIMIT
    }

    private static final long serialVersionUID = 1L;

    private final Kind kind;
    private final int line;

    private JinjaException(Kind kind, String message, int line) {
        super(message);
        this.kind = kind;
        this.line = line;
    }

    static JinjaException syntax(String message, int line) {
        return new JinjaException(Kind.SYNTAX, message, line);
    }

    static JinjaException raised(String message) {
        return new JinjaException(Kind.RAISED, message, 0);
    }

    static JinjaException runtime(String message) {
        return new JinjaException(Kind.RUNTIME, message, 0);
    }

    static JinjaException limit(String message) {
        return new JinjaException(Kind.LIMIT, message, 0);
    }

    /** This failure at a line, unless a line is known already. */
    JinjaException at(int where) {
        if (line != 0) {
            return this;
        }
        JinjaException located = new JinjaException(kind, String.valueOf(getMessage()), where);
        located.setStackTrace(getStackTrace());
        return located;
    }

    /** What kind of failure this is. */
    public Kind kind() {
        return kind;
    }

    /** The line of the template, from 1, or 0 where none is known. */
    public int line() {
        return line;
    }
}
