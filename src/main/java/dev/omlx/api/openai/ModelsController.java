package dev.omlx.api.openai;

import dev.omlx.api.json.Json;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.ModelDescription;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** {@code GET /v1/models} and {@code /v1/models/{id}}; an id may hold slashes, escaped or not. */
@RestController
final class ModelsController {
    private final InferenceEngine engine;

    ModelsController(InferenceEngine engine) {
        this.engine = engine;
    }

    @GetMapping("/v1/models")
    Mono<Void> list(ServerWebExchange exchange) {
        List<Model> models = engine.models().stream().map(Model::of).toList();
        return Json.write(exchange.getResponse(), HttpStatus.OK, new ModelList("list", models));
    }

    /** @param rest what follows {@code /v1/models}, its slash included */
    @GetMapping("/v1/models/{*rest}")
    Mono<Void> get(@PathVariable String rest, ServerWebExchange exchange) {
        String id = rest.substring(1);
        if (id.isEmpty()) {
            return list(exchange);
        }
        ModelDescription model = engine.model(id).orElseThrow(() -> new EngineException.ModelNotFound(id));
        return Json.write(exchange.getResponse(), HttpStatus.OK, Model.of(model));
    }

    record ModelList(String object, List<Model> data) {}

    /** @param maxModelLen the context length, under the name that vLLM gives it */
    record Model(String id, String object, long created, String ownedBy, int maxModelLen) {
        static Model of(ModelDescription model) {
            return new Model(model.id(), "model", model.created().getEpochSecond(), "omlx", model.contextLength());
        }
    }
}
