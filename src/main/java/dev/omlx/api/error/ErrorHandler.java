package dev.omlx.api.error;

import dev.omlx.api.json.Json;
import java.time.Duration;
import org.springframework.boot.webflux.error.ErrorWebExceptionHandler;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.DisconnectedClientHelper;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerResponse;

/** Answers every failed request, whichever part of the server failed it, in its dialect's shape. */
final class ErrorHandler implements ErrorWebExceptionHandler, Ordered {
    /** Before Spring's own handlers. */
    private static final int ORDER = -10;

    private final Errors errors;

    ErrorHandler(Errors errors) {
        this.errors = errors;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return Mono.error(failure);
        }
        if (DisconnectedClientHelper.isClientDisconnectedException(failure) || isAnsweredByNetty(response)) {
            // nobody is there to be told, or was told so already, and it is no fault of ours that is to be logged
            return Mono.empty();
        }
        ApiError error = errors.describe(failure, exchange);
        HttpHeaders headers = response.getHeaders();
        if (failure instanceof ErrorResponse refused) {
            headers.addAll(refused.getHeaders());
        }
        addHeaders(headers, error);
        errors.dialect(exchange).addHeaders(headers, error, RequestId.of(exchange));
        return Json.write(response, status(failure, error), errors.body(error, exchange));
    }

    /** A body that is no HTTP is refused below us, in the middle of our reading it. */
    private static boolean isAnsweredByNetty(ServerHttpResponse response) {
        return ServerHttpResponseDecorator.getNativeResponse(response) instanceof HttpServerResponse below
                && below.hasSentHeaders();
    }

    /** A refusal by the framework keeps its own status, even one that no kind stands for. */
    private static HttpStatusCode status(Throwable failure, ApiError error) {
        boolean refused = failure instanceof ErrorResponse && error.kind() != ErrorKind.FAILED;
        return refused
                ? ((ErrorResponse) failure).getStatusCode()
                : error.kind().status();
    }

    private static void addHeaders(HttpHeaders headers, ApiError error) {
        Duration retryAfter = error.retryAfter();
        if (retryAfter != null) {
            headers.set(
                    HttpHeaders.RETRY_AFTER,
                    Long.toString(Math.max(1, retryAfter.plusMillis(999).toSeconds())));
        }
        switch (error.kind()) {
            case UNAUTHENTICATED -> headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            // the rest of the body may still be on its way, and nobody will read it
            case REQUEST_TOO_LARGE, REQUEST_TIMEOUT -> headers.set(HttpHeaders.CONNECTION, "close");
            default -> {}
        }
    }
}
