package dev.omlx.api.http;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Refuses what the network layer takes for HTTP/1.1 though it is none (RFC 9112): other major versions, and requests
 * that do not name one host (section 3.2), which servers and proxies could each understand in their own way; and
 * bodies in transfer codings other than chunks (section 6.1), which would be read undecoded. Answers HTTP/1.0 in what it
 * can read.
 */
final class ProtocolFilter implements WebFilter, Ordered {
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Za-z:.%]+]|[0-9A-Za-z._~!$&'()*+,;=%-]*)(:\\d{0,5})?");

    @Override
    public int getOrder() {
        return FilterOrder.PROTOCOL;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        HttpServerRequest below = ServerHttpRequestDecorator.getNativeRequest(request);
        HttpVersion version = below.version();
        if (version.majorVersion() != 1) {
            throw new ApiException(
                    ApiError.of(ErrorKind.HTTP_VERSION_NOT_SUPPORTED, "this server speaks HTTP/1.1 and HTTP/1.0 only"));
        }
        boolean old = version.minorVersion() == 0;
        requireOneHost(request.getHeaders().getOrDefault(HttpHeaders.HOST, List.of()), old);
        requireNoCodingButChunks(exchange);
        if (old) {
            sendNoChunks(exchange.getResponse());
        }
        return chain.filter(exchange);
    }

    /** HTTP/1.0 knows no chunks (section 6.1): an answer of unknown length ends with the connection. */
    private static void sendNoChunks(ServerHttpResponse response) {
        HttpServerResponse below = ServerHttpResponseDecorator.getNativeResponse(response);
        below.chunkedTransfer(false);
    }

    /** @param old whether the request is of HTTP/1.0, which does not know the header */
    private static void requireOneHost(List<String> hosts, boolean old) {
        if (hosts.size() > 1) {
            throw invalid("is given " + hosts.size() + " times");
        }
        if (hosts.isEmpty() && !old) {
            throw invalid("is missing");
        }
        if (!hosts.stream().allMatch(host -> HOST.matcher(host).matches())) {
            throw invalid("is not a host name with or without a port");
        }
    }

    /** Where a body in another coding ends is not known, so the connection ends too. */
    private static void requireNoCodingButChunks(ServerWebExchange exchange) {
        List<String> codings =
                exchange.getRequest().getHeaders().getOrDefault(HttpHeaders.TRANSFER_ENCODING, List.of());
        if (codings.isEmpty()
                || codings.size() == 1 && codings.getFirst().strip().equalsIgnoreCase("chunked")) {
            return;
        }
        exchange.getResponse().getHeaders().set(HttpHeaders.CONNECTION, "close");
        throw new ApiException(new ApiError(
                ErrorKind.NOT_IMPLEMENTED,
                "the transfer coding of the body is not supported; send it with Content-Length or as chunks,"
                        + " without another coding",
                HttpHeaders.TRANSFER_ENCODING,
                null));
    }

    private static ApiException invalid(String problem) {
        return new ApiException(ApiError.invalid(
                HttpHeaders.HOST, "the header Host " + problem + "; HTTP/1.1 needs it once in each request"));
    }
}
