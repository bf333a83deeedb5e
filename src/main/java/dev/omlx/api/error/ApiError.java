package dev.omlx.api.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failure as a client is told of it, before a dialect gives it its words.
 *
 * @param message what was wrong and what to do about it; holds nothing of the server's insides
 * @param parameter the field of the request that was wrong
 * @param retryAfter when the same request may be served
 */
public record ApiError(
        ErrorKind kind,
        String message,
        @Nullable String parameter,
        @Nullable Duration retryAfter) {

    public static ApiError of(ErrorKind kind, String message) {
        return new ApiError(kind, message, null, null);
    }

    /** A field's value cannot be served. */
    public static ApiError invalid(String parameter, String message) {
        return new ApiError(ErrorKind.INVALID_REQUEST, message, parameter, null);
    }
}
