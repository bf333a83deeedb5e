package dev.omlx.api.http;

import dev.omlx.security.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/**
 * Who makes a request, as far as the server tells clients apart.
 *
 * @param key the key that was shown; null where nobody is asked for one, so that all are one caller
 */
public record Caller(@Nullable ApiKey key) {
    private static final String ATTRIBUTE = Caller.class.getName();
    private static final Caller ANYBODY = new Caller(null);

    /** Who makes the exchange's request. */
    public static Caller of(ServerWebExchange exchange) {
        return exchange.getAttributeOrDefault(ATTRIBUTE, ANYBODY);
    }

    void set(ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, this);
    }
}
