package dev.omlx.cli;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.Status;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/**
 * The time in which Spring sets up the logging: it tells what is wrong with it in many lines on the error stream, and goes
 * on with less where a file cannot be written or a pattern not be read. Here nothing is written, and all of that fails.
 */
final class LoggingSetup implements AutoCloseable {
    private final PrintStream errors = System.err;

    LoggingSetup() {
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    /** @throws StartupException if the logging is not as it was to be */
    static void check(Environment environment) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getStatusManager().getCopyOfStatusList().stream()
                    .filter(status -> status.getLevel() >= Status.WARN)
                    .map(status -> new IllegalStateException(status.getMessage(), status.getThrowable()))
                    .findFirst()
                    .flatMap(failure -> SettingsAtFault.LOGGING.blame(failure, environment))
                    .ifPresent(problem -> {
                        throw StartupFailures.badConfiguration(problem, null);
                    });
        }
    }

    @Override
    public void close() {
        System.setErr(errors);
    }
}
