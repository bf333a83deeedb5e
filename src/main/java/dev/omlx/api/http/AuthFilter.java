package dev.omlx.api.http;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.security.ApiKey;
import dev.omlx.security.ApiKeys;
import dev.omlx.security.KeyLimits;
import dev.omlx.security.KeyLimits.Decision;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Asks for a key, as OpenAI's clients show it or as Anthropic's do, for everything that is not open to everybody. */
final class AuthFilter implements WebFilter, Ordered {
    private static final String KEY_HEADER = "x-api-key";
    private static final String BEARER = "Bearer ";

    /** Whether the server is there and well, which clients, balancers and supervisors ask without a key. */
    private static final Set<String> OPEN =
            Set.of("/", "/health", "/actuator/health/liveness", "/actuator/health/readiness");

    private final ApiKeys keys;
    private final KeyLimits limits;

    AuthFilter(ApiKeys keys, KeyLimits limits) {
        this.keys = keys;
        this.limits = limits;
    }

    @Override
    public int getOrder() {
        return FilterOrder.AUTH;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (keys.isEmpty() || OPEN.contains(exchange.getRequest().getPath().value())) {
            return chain.filter(exchange);
        }
        ApiKey key = require(exchange.getRequest().getHeaders());
        new Caller(key).set(exchange);
        return Mono.defer(() -> switch (limits.ask(key)) {
            case Decision.Granted granted -> chain.filter(exchange).doFinally(over -> granted.close());
            case Decision.Refused refused ->
                Mono.error(new ApiException(
                        new ApiError(ErrorKind.RATE_LIMITED, refused.reason(), null, refused.retryAfter())));
        });
    }

    /** Some clients send both headers, so one valid key is enough. */
    private ApiKey require(HttpHeaders headers) {
        Optional<String> bearer = bearer(headers.getFirst(HttpHeaders.AUTHORIZATION));
        Optional<String> plain =
                Optional.ofNullable(headers.getFirst(KEY_HEADER)).map(String::strip);
        if (bearer.isEmpty() && plain.isEmpty()) {
            throw refused("this server needs an API key: send 'Authorization: Bearer <key>' or 'x-api-key: <key>'");
        }
        return Stream.of(bearer, plain)
                .flatMap(Optional::stream)
                .flatMap(shown -> keys.find(shown).stream())
                .findFirst()
                .orElseThrow(() -> refused("the API key is not one of this server's"));
    }

    private static Optional<String> bearer(@Nullable String header) {
        return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? Optional.of(header.substring(BEARER.length()).strip())
                : Optional.empty();
    }

    private static ApiException refused(String message) {
        return new ApiException(ApiError.of(ErrorKind.UNAUTHENTICATED, message));
    }
}
