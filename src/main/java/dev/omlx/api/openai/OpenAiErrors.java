package dev.omlx.api.openai;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ErrorDialect;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.engine.api.EngineException.ContextLengthExceeded;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;

/** Errors in the OpenAI dialect, which is also the one for paths that belong to no dialect. */
public final class OpenAiErrors implements ErrorDialect, Ordered {
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public boolean speaks(String path, HttpHeaders headers) {
        return true;
    }

    @Override
    public ApiError contextLengthExceeded(ContextLengthExceeded failure) {
        boolean leavesNoRoom = failure.promptTokens().equals(String.valueOf(failure.contextLength()));
        return new ApiError(
                ErrorKind.CONTEXT_LENGTH_EXCEEDED,
                "This model's maximum context length is %d tokens, but your %s resulted in %s tokens%s. Please shorten it."
                        .formatted(
                                failure.contextLength(),
                                failure.parameter(),
                                failure.promptTokens(),
                                leavesNoRoom ? ", which leaves none for the answer" : ""),
                failure.parameter(),
                null);
    }

    @Override
    public Body body(ApiError error, String requestId) {
        return new Body(new Details(error.message(), type(error.kind()), error.parameter(), code(error.kind())));
    }

    private static String type(ErrorKind kind) {
        return switch (kind) {
            case INVALID_REQUEST,
                    CONTEXT_LENGTH_EXCEEDED,
                    UNAUTHENTICATED,
                    FORBIDDEN,
                    MODEL_NOT_FOUND,
                    NOT_FOUND,
                    METHOD_NOT_ALLOWED,
                    REQUEST_TIMEOUT,
                    REQUEST_TOO_LARGE,
                    UNSUPPORTED_MEDIA_TYPE,
                    NOT_IMPLEMENTED,
                    HTTP_VERSION_NOT_SUPPORTED -> "invalid_request_error";
            case RATE_LIMITED, OVERLOADED -> "rate_limit_exceeded";
            case UNAVAILABLE, FAILED -> "server_error";
        };
    }

    /** The word by which programs tell the kind; null for kinds that have none. */
    public static @Nullable String code(ErrorKind kind) {
        return switch (kind) {
            case INVALID_REQUEST, FAILED -> null;
            case CONTEXT_LENGTH_EXCEEDED -> "context_length_exceeded";
            case UNAUTHENTICATED -> "invalid_api_key";
            case FORBIDDEN -> "forbidden";
            case MODEL_NOT_FOUND -> "model_not_found";
            case NOT_FOUND -> "not_found";
            case METHOD_NOT_ALLOWED -> "method_not_allowed";
            case REQUEST_TIMEOUT -> "request_timeout";
            case REQUEST_TOO_LARGE -> "request_too_large";
            case UNSUPPORTED_MEDIA_TYPE -> "unsupported_media_type";
            case NOT_IMPLEMENTED -> "not_implemented";
            case HTTP_VERSION_NOT_SUPPORTED -> "http_version_not_supported";
            case RATE_LIMITED -> "rate_limit_exceeded";
            case OVERLOADED -> "slow_down";
            case UNAVAILABLE -> "server_is_overloaded";
        };
    }

    record Body(Details error) {}

    record Details(
            String message,
            String type,
            @Nullable String param,
            @Nullable String code) {}
}
