package dev.omlx.engine.config;

import java.io.Serial;

/** A file of the configuration cannot be read. The message names it, and says why. */
public final class ConfigurationFileException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    ConfigurationFileException(String file, String problem, Throwable cause) {
        super(file + ": " + problem, cause);
    }

    ConfigurationFileException(String file, String problem) {
        super(file + ": " + problem);
    }
}
