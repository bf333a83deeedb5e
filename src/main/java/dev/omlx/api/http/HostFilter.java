package dev.omlx.api.http;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Refuses requests for other hosts. A web page can point its own name at 127.0.0.1 and then read a server there as if it
 * were its own (DNS rebinding); but it cannot change the Host header that its browser sends.
 */
final class HostFilter implements WebFilter, Ordered {
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost\\.?|.+\\.localhost\\.?|127(\\.\\d{1,3}){3}|::1|0:0:0:0:0:0:0:1");
    private static final Pattern HOST = Pattern.compile("(?:\\[([0-9a-f:.%]+)]|([^:\\[\\]]*))(?::\\d*)?");

    private static final String EVERY_HOST = "*";

    private final Set<String> allowed;
    private final boolean open;

    /**
     * @param allowed names besides those of the loopback interface
     * @param loopback whether the server listens on that interface alone; elsewhere names count only if some are allowed
     */
    HostFilter(List<String> allowed, boolean loopback) {
        this.allowed =
                allowed.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        this.open = allowed.contains(EVERY_HOST) || (!loopback && allowed.isEmpty());
    }

    @Override
    public int getOrder() {
        return FilterOrder.HOST;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        @Nullable String header = exchange.getRequest().getHeaders().getFirst(HttpHeaders.HOST);
        // no browser leaves the header out
        if (!open && header != null && !isAllowed(header)) {
            throw new ApiException(ApiError.of(
                    ErrorKind.FORBIDDEN,
                    "this server is not known by the host name of this request; omlx.server.allowed-hosts can add it"));
        }
        return chain.filter(exchange);
    }

    private boolean isAllowed(String header) {
        Matcher host = HOST.matcher(header.toLowerCase(Locale.ROOT));
        if (!host.matches()) {
            return false;
        }
        String name = host.group(1) != null ? host.group(1) : host.group(2);
        return LOOPBACK.matcher(name).matches() || allowed.contains(name);
    }
}
