package dev.omlx.cli;

import dev.omlx.engine.api.EngineException;
import dev.omlx.files.FileFailures;
import java.nio.file.FileSystemException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says in one line why something failed. */
final class Failures {
    private static final String OUR_PACKAGES = "dev.omlx.";

    private Failures() {}

    /** The message of our own exception in the chain of causes, or else of the root cause. */
    static String describe(Throwable failure) {
        return ours(failure)
                .map(Failures::message)
                .orElseGet(() -> message(chain(failure).reduce(failure, (outer, inner) -> inner)));
    }

    /** What all exceptions in the chain of causes say, where the outer ones name what the inner ones explain. */
    static String describeWhole(Throwable failure) {
        return chain(failure).map(Failures::message).distinct().collect(Collectors.joining(": "));
    }

    /** The outermost exception in the chain of causes that is of this project: it knows best what was attempted. */
    static Optional<Throwable> ours(Throwable failure) {
        return chain(failure)
                .filter(cause -> cause.getClass().getName().startsWith(OUR_PACKAGES))
                .findFirst();
    }

    /** The first exception of that type in the chain of causes. */
    static <T extends Throwable> Optional<T> find(Class<T> type, Throwable failure) {
        return chain(failure).filter(type::isInstance).map(type::cast).findFirst();
    }

    /** The text without line breaks. */
    static String oneLine(@Nullable String text) {
        return text == null ? "" : text.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** The failure and its causes, outermost first. */
    static Stream<Throwable> chain(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }

    private static String message(Throwable failure) {
        String text = oneLine(failure.getMessage());
        if (failure instanceof EngineException.ModelNotFound) {
            return text + "; '" + OmlxCommand.NAME + " " + ListCommand.NAME + "' shows those that do, and the path of a"
                    + " directory or a .gguf file will do too";
        }
        if (failure instanceof FileSystemException file) {
            return file.getFile() + ": " + FileFailures.reason(file);
        }
        boolean explained = failure instanceof IllegalArgumentException
                || failure instanceof IllegalStateException
                || failure.getClass().getName().startsWith(OUR_PACKAGES);
        if (explained && !text.isEmpty()) {
            return text;
        }
        String kind = failure.getClass().getSimpleName();
        return text.isEmpty() ? kind : kind + ": " + text;
    }
}
