package dev.omlx.cli;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The application did not start. The message says in one line what, why and what to do. */
final class StartupException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /** @param exitCode what the process ends with */
    StartupException(String message, int exitCode, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
