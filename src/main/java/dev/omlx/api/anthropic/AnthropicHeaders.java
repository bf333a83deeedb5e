package dev.omlx.api.anthropic;

import dev.omlx.api.error.RequestId;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/** Header names of the dialect. */
final class AnthropicHeaders {
    /** Request header by which the dialect is known where a path belongs to two. */
    static final String VERSION = "anthropic-version";

    /** Request header with the names of what a client takes beyond the version. */
    static final String BETA = "anthropic-beta";

    private AnthropicHeaders() {}

    /** Names the exchange as this dialect's clients expect it. */
    static void nameResponse(ServerWebExchange exchange) {
        exchange.getResponse().getHeaders().set(RequestId.ANTHROPIC_HEADER, RequestId.of(exchange));
    }

    static void nameError(HttpHeaders headers, String requestId) {
        headers.set(RequestId.ANTHROPIC_HEADER, requestId);
    }
}
