package dev.omlx.api.error;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failure as a client is told of it, before a dialect gives it its words.
 *
 * @param message what was wrong and what to do about it; holds nothing of the server's insides. The middle of a very
 *     long one, which quotes what the client sent, is left out
 * @param parameter the field of the request that was wrong
 * @param retryAfter when the same request may be served
 */
public record ApiError(
        ErrorKind kind,
        String message,
        @Nullable String parameter,
        @Nullable Duration retryAfter) {
    private static final int LONGEST = 2_000;

    public ApiError {
        message = shortened(message);
        parameter = parameter == null ? null : shortened(parameter);
    }

    public static ApiError of(ErrorKind kind, String message) {
        return new ApiError(kind, message, null, null);
    }

    /** A field's value cannot be served. */
    public static ApiError invalid(String parameter, String message) {
        return new ApiError(ErrorKind.INVALID_REQUEST, message, parameter, null);
    }

    private static String shortened(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        int half = LONGEST / 2;
        int head = Character.isHighSurrogate(text.charAt(half - 1)) ? half - 1 : half;
        int tail = text.length() - half;
        return text.substring(0, head) + "…"
                + text.substring(Character.isLowSurrogate(text.charAt(tail)) ? tail + 1 : tail);
    }
}
