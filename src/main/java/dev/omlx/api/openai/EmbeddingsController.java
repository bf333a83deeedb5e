package dev.omlx.api.openai;

import dev.omlx.api.json.Json;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.engine.api.Embedder;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** {@code POST /v1/embeddings}. */
@RestController
final class EmbeddingsController {
    private final Embedder embedder;
    private final RequestBodies bodies;

    EmbeddingsController(Embedder embedder, RequestBodies bodies) {
        this.embedder = embedder;
        this.bodies = bodies;
    }

    @PostMapping("/v1/embeddings")
    Mono<Void> embed(ServerWebExchange exchange) {
        return bodies.read(exchange.getRequest())
                .map(EmbeddingRequest::read)
                .flatMap(request -> embedder.embed(request.model(), request.inputs())
                        .map(embeddings -> EmbeddingBody.of(embeddings, request)))
                .flatMap(body -> Json.write(exchange.getResponse(), HttpStatus.OK, body));
    }
}
