package dev.omlx.api.ollama;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.api.json.Json;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.ModelLookup;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.engine.api.InferenceEngine;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * {@code GET /api/version}, {@code /api/tags} and {@code /api/ps}, {@code POST /api/show}; and what would change models,
 * which is refused.
 */
@RestController
final class ModelsController {
    /** The version of Ollama whose API this face follows; clients ask for it to know what they may use. */
    static final String VERSION = "0.12.0";

    private final InferenceEngine engine;
    private final RequestBodies bodies;
    private final ModelLookup models;

    ModelsController(InferenceEngine engine, RequestBodies bodies, ModelLookup models) {
        this.engine = engine;
        this.bodies = bodies;
        this.models = models;
    }

    @GetMapping("/api/version")
    Mono<Void> version(ServerWebExchange exchange) {
        return write(exchange, new Version(VERSION));
    }

    @GetMapping("/api/tags")
    Mono<Void> tags(ServerWebExchange exchange) {
        return write(
                exchange,
                new Models<>(engine.models().stream().map(ModelBody::of).toList()));
    }

    @GetMapping("/api/ps")
    Mono<Void> running(ServerWebExchange exchange) {
        return write(
                exchange,
                new Models<>(engine.models().stream().map(RunningModel::of).toList()));
    }

    @PostMapping("/api/show")
    Mono<Void> show(ServerWebExchange exchange) {
        return bodies.read(exchange.getRequest())
                .map(body -> models.find(ModelNames.id(name(body))))
                .flatMap(model -> write(exchange, ModelCard.of(model)));
    }

    /** The field had another name once. */
    private static String name(JsonFields body) {
        String older = body.string("name");
        return older == null || body.has("model") ? body.requireString("model") : older;
    }

    @PostMapping({"/api/pull", "/api/push", "/api/create", "/api/copy", "/api/blobs/{digest}"})
    Mono<Void> change(ServerWebExchange exchange) {
        return refuse();
    }

    @DeleteMapping("/api/delete")
    Mono<Void> delete(ServerWebExchange exchange) {
        return refuse();
    }

    private static Mono<Void> refuse() {
        return Mono.error(new ApiException(ApiError.of(
                ErrorKind.NOT_FOUND,
                "models cannot be changed over HTTP here: put their files into this server's models folder, and name the"
                        + " one to serve with 'serve --model'")));
    }

    private static Mono<Void> write(ServerWebExchange exchange, Object body) {
        return Json.write(exchange.getResponse(), HttpStatus.OK, body);
    }

    record Version(String version) {}

    record Models<T>(List<T> models) {}
}
