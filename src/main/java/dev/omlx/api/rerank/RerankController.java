package dev.omlx.api.rerank;

import dev.omlx.api.error.RequestId;
import dev.omlx.api.json.Json;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.engine.api.Reranker;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** {@code POST /v1/rerank}, {@code /v2/rerank} and {@code /rerank}, which all take both shapes. */
@RestController
final class RerankController {
    private static final String ID_PREFIX = "rerank-";

    private final Reranker reranker;
    private final RequestBodies bodies;

    RerankController(Reranker reranker, RequestBodies bodies) {
        this.reranker = reranker;
        this.bodies = bodies;
    }

    @PostMapping({"/v1/rerank", "/v2/rerank", "/rerank"})
    Mono<Void> rank(ServerWebExchange exchange) {
        return bodies.read(exchange.getRequest())
                .map(RerankRequest::read)
                .flatMap(request -> reranker.rank(request.model(), request.query(), request.documents())
                        .map(scores -> RerankBody.of(RequestId.random(ID_PREFIX), scores, request)))
                .flatMap(body -> Json.write(exchange.getResponse(), HttpStatus.OK, body));
    }
}
