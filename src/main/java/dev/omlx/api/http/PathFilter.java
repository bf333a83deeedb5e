package dev.omlx.api.http;

import java.util.regex.Pattern;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Takes {@code /v1//models} for {@code /v1/models}: clients join a base address and a path without looking. Nothing is
 * served by a way back such as {@code /v1/../health}: clients go it themselves, and who does not is up to something.
 */
final class PathFilter implements WebFilter, Ordered {
    private static final Pattern SLASHES = Pattern.compile("/{2,}");

    @Override
    public int getOrder() {
        return FilterOrder.PATH;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        String path = request.getURI().getRawPath();
        if (goesBack(request)) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND);
        }
        if (!path.contains("//")) {
            return chain.filter(exchange);
        }
        ServerHttpRequest plain =
                request.mutate().path(SLASHES.matcher(path).replaceAll("/")).build();
        return chain.filter(exchange.mutate().request(plain).build());
    }

    private static boolean goesBack(ServerHttpRequest request) {
        return request.getPath().elements().stream()
                .anyMatch(element -> element instanceof PathContainer.PathSegment segment
                        && segment.valueToMatch().equals(".."));
    }
}
