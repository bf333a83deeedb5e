package dev.omlx.cli;

/** What a command writes arrives nowhere. */
final class OutputLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputLostException() {
        super("cannot write to the output: it is closed, who read it has left, or its disk is full");
    }
}
