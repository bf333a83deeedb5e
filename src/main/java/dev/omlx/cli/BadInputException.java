package dev.omlx.cli;

import java.io.Serial;

/** What a command was given to work on is not what it takes. The message says what was expected. */
final class BadInputException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    BadInputException(String message) {
        super(message);
    }
}
