package dev.omlx.api.error;

import dev.omlx.engine.api.EngineException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;

/** Turns whatever was thrown into what the client is told, in the dialect of the request's path. */
public final class Errors {
    private static final Logger log = LoggerFactory.getLogger(Errors.class);

    /** When a client should come back to a server that is starting or stopping. */
    private static final Duration WHEN_UNAVAILABLE = Duration.ofSeconds(5);

    private static final int SHOWN_PATH = 200;

    private static final Pattern SLASHES = Pattern.compile("/{2,}");

    private final List<ErrorDialect> dialects;

    /** @param dialects the first one that speaks for a path is used, the last one for paths of none */
    Errors(List<ErrorDialect> dialects) {
        this.dialects = List.copyOf(dialects);
    }

    /** The dialect of the endpoint that the exchange asks for. */
    ErrorDialect dialect(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        return dialect(request.getPath().value(), request.getHeaders());
    }

    private ErrorDialect dialect(String path, HttpHeaders headers) {
        String plain = SLASHES.matcher(path).replaceAll("/");
        return dialects.stream()
                .filter(dialect -> dialect.speaks(plain, headers))
                .findFirst()
                .orElse(dialects.getLast());
    }

    /** What to tell the client of {@code failure}; one of the server's own is logged here. */
    public ApiError describe(Throwable failure, ServerWebExchange exchange) {
        return switch (failure) {
            case ApiException refused -> refused.error();
            case EngineException refused -> describe(refused, exchange);
            case DataBufferLimitException tooLarge ->
                ApiError.of(ErrorKind.REQUEST_TOO_LARGE, "the request body is larger than this server takes");
            case ErrorResponse refused -> describe(refused.getStatusCode(), failure, exchange);
            default -> unexpected(failure, exchange);
        };
    }

    /** The error in the dialect's words, for Jackson to write. */
    public Object body(ApiError error, ServerWebExchange exchange) {
        return dialect(exchange).body(error, RequestId.of(exchange));
    }

    /** As {@link #body(ApiError, ServerWebExchange)}, for a request too broken for an exchange. */
    public Object body(ApiError error, String path, HttpHeaders headers, String requestId) {
        return dialect(path, headers).body(error, requestId);
    }

    private ApiError describe(EngineException failure, ServerWebExchange exchange) {
        String message = String.valueOf(failure.getMessage());
        return switch (failure) {
            case EngineException.InvalidRequest invalid -> ApiError.invalid(invalid.parameter(), message);
            case EngineException.ContextLengthExceeded exceeded ->
                dialect(exchange).contextLengthExceeded(exceeded);
            case EngineException.ModelNotFound missing ->
                new ApiError(ErrorKind.MODEL_NOT_FOUND, message, "model", null);
            case EngineException.Overloaded busy ->
                new ApiError(ErrorKind.OVERLOADED, message, null, busy.retryAfter());
            case EngineException.OutOfMemory tight ->
                new ApiError(ErrorKind.UNAVAILABLE, message, null, tight.retryAfter());
            case EngineException.Unavailable away ->
                new ApiError(ErrorKind.UNAVAILABLE, message, null, WHEN_UNAVAILABLE);
            case EngineException.Failed failed -> {
                log.error("request {} failed", RequestId.of(exchange), failed);
                yield ApiError.of(ErrorKind.FAILED, message);
            }
        };
    }

    /** A refusal by the framework. Its own message may name classes, so it is not shown. */
    private static ApiError describe(HttpStatusCode status, Throwable failure, ServerWebExchange exchange) {
        ErrorKind kind = ErrorKind.of(status);
        return switch (kind) {
            case FAILED -> unexpected(failure, exchange);
            case NOT_FOUND -> ApiError.of(kind, "there is no " + route(exchange) + " here");
            case METHOD_NOT_ALLOWED ->
                ApiError.of(kind, route(exchange) + " is not allowed, only the methods in the Allow header are");
            default -> {
                HttpStatus known = HttpStatus.resolve(status.value());
                yield ApiError.of(kind, known == null ? "the request was refused" : known.getReasonPhrase());
            }
        };
    }

    private static String route(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        String path = request.getPath().value();
        return request.getMethod() + " " + path.substring(0, Math.min(path.length(), SHOWN_PATH));
    }

    private static ApiError unexpected(Throwable failure, ServerWebExchange exchange) {
        String id = RequestId.of(exchange);
        log.error("request {} failed unexpectedly", id, failure);
        return ApiError.of(ErrorKind.FAILED, "the server failed to serve this request; its log tells why under " + id);
    }
}
