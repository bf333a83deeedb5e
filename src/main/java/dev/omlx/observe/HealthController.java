package dev.omlx.observe;

import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.ModelDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import tools.jackson.databind.annotation.JsonNaming;

/** {@code GET /health}, open to everybody: 200 if requests are served now, else 503. */
@RestController
final class HealthController {
    private final InferenceEngine engine;
    private final HealthProperties properties;

    HealthController(InferenceEngine engine, HealthProperties properties) {
        this.engine = engine;
        this.properties = properties;
    }

    @GetMapping("/health")
    ResponseEntity<Body> health() {
        EngineHealth health = new EngineHealth(engine.status(), properties.heartbeatTimeout());
        List<ModelDescription> models = engine.models();
        Body body = new Body(
                health.word(),
                models.isEmpty() ? null : models.getFirst().id(),
                new EnginePool(models.size()),
                new Sequences(health.engine().running(), health.engine().waiting()));
        return ResponseEntity.status(health.isReady() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
                .contentType(MediaType.APPLICATION_JSON)
                .body(body);
    }

    @JsonNaming(SnakeCaseStrategy.class)
    record Body(String status, @Nullable String defaultModel, EnginePool enginePool, Sequences sequences) {}

    /** Clients know an oMLX server by the name of this member. */
    @JsonNaming(SnakeCaseStrategy.class)
    record EnginePool(int modelCount) {}

    record Sequences(int running, int waiting) {}
}
