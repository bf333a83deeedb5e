package dev.omlx.cli;

import java.io.Serial;

/** The application did not start. The message says in one line what, why and what to do. */
final class StartupException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    StartupException(String message, Throwable cause) {
        super(message, cause);
    }
}
