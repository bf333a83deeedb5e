package dev.omlx.api.openapi;

import dev.omlx.api.json.Json;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@code GET /openapi.json}. */
@RestController
final class OpenApiController {
    private final Mono<Map<String, Object>> document = Mono.fromSupplier(OpenApiDocument::read)
            .subscribeOn(Schedulers.boundedElastic())
            .cache();

    @GetMapping("/openapi.json")
    Mono<Void> document(ServerWebExchange exchange) {
        return document.flatMap(body -> Json.write(exchange.getResponse(), HttpStatus.OK, body));
    }
}
