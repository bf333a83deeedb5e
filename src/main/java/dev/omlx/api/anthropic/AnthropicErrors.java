package dev.omlx.api.anthropic;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ErrorDialect;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.engine.api.EngineException.ContextLengthExceeded;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;

/** Errors in the Anthropic dialect, whose endpoints share some paths with OpenAI's. */
final class AnthropicErrors implements ErrorDialect, Ordered {
    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public boolean speaks(String path, HttpHeaders headers) {
        return isBelow(path, "/v1/messages")
                || (isBelow(path, "/v1/models") && headers.containsHeader(AnthropicHeaders.VERSION));
    }

    private static boolean isBelow(String path, String base) {
        return path.equals(base) || path.startsWith(base + "/");
    }

    /** Claude Code reads both numbers, so they stand there bare. */
    @Override
    public ApiError contextLengthExceeded(ContextLengthExceeded failure) {
        return new ApiError(
                ErrorKind.CONTEXT_LENGTH_EXCEEDED,
                "prompt is too long: %s tokens > %d maximum"
                        .formatted(failure.promptTokens().replaceFirst("\\D+", ""), failure.contextLength()),
                null,
                null);
    }

    @Override
    public Body body(ApiError error, String requestId) {
        return new Body("error", new Details(type(error.kind()), error.message()), requestId);
    }

    @Override
    public void addHeaders(HttpHeaders headers, ApiError error, String requestId) {
        AnthropicHeaders.nameError(headers, requestId);
    }

    private static String type(ErrorKind kind) {
        return switch (kind) {
            case INVALID_REQUEST,
                    CONTEXT_LENGTH_EXCEEDED,
                    METHOD_NOT_ALLOWED,
                    REQUEST_TIMEOUT,
                    UNSUPPORTED_MEDIA_TYPE,
                    NOT_IMPLEMENTED,
                    HTTP_VERSION_NOT_SUPPORTED -> "invalid_request_error";
            case UNAUTHENTICATED -> "authentication_error";
            case FORBIDDEN -> "permission_error";
            case MODEL_NOT_FOUND, NOT_FOUND -> "not_found_error";
            case REQUEST_TOO_LARGE -> "request_too_large";
            case RATE_LIMITED, OVERLOADED -> "rate_limit_error";
            case UNAVAILABLE -> "overloaded_error";
            case FAILED -> "api_error";
        };
    }

    record Body(String type, Details error, String requestId) {}

    record Details(String type, String message) {}
}
