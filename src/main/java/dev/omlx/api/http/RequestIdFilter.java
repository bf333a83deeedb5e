package dev.omlx.api.http;

import dev.omlx.api.error.RequestId;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Names every exchange. */
final class RequestIdFilter implements WebFilter, Ordered {
    @Override
    public int getOrder() {
        return FilterOrder.REQUEST_ID;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        RequestId.assign(exchange);
        return chain.filter(exchange);
    }
}
