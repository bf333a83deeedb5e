package dev.omlx.api.http;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.api.error.Errors;
import dev.omlx.api.error.RequestId;
import dev.omlx.api.json.Json;
import java.util.regex.Pattern;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.support.Netty4HeadersAdapter;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Answers what is no HTTP, and requests whose address is none, in the shape of all errors; Netty and Spring refuse them
 * without a body.
 */
final class MalformedRequests implements NettyServerCustomizer {
    private static final ApiError ERROR =
            ApiError.of(ErrorKind.INVALID_REQUEST, "the address of the request is not a valid URI");

    private static final Pattern QUERY = Pattern.compile("\\?.*");

    private final Errors errors;

    MalformedRequests(Errors errors) {
        this.errors = errors;
    }

    @Override
    public HttpServer apply(HttpServer server) {
        return server.doOnChannelInit((observer, channel, remote) -> channel.pipeline()
                        .addAfter(NettyPipeline.HttpCodec, "omlx.refusal", new RefusalHandler(errors)))
                .mapHandle((handled, connection) -> handled.then(Mono.defer(() -> answer(connection))));
    }

    /** Adds the body to a refusal that has been decided on and not sent. */
    private Mono<Void> answer(Connection connection) {
        boolean refused = connection instanceof HttpServerResponse response
                && !response.hasSentHeaders()
                && response.status().code() == ERROR.kind().status().value();
        if (!refused) {
            return Mono.empty();
        }
        String id = RequestId.random();
        HttpServerRequest request = (HttpServerRequest) connection;
        String path = QUERY.matcher(request.uri()).replaceFirst("");
        HttpHeaders headers = new HttpHeaders(new Netty4HeadersAdapter(request.requestHeaders()));
        return ((HttpServerResponse) connection)
                .header(RequestId.HEADER, id)
                .header(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_JSON_VALUE)
                .sendString(Mono.just(Json.write(errors.body(ERROR, path, headers, id))))
                .then();
    }
}
