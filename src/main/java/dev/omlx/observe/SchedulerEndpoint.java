package dev.omlx.observe;

import dev.omlx.engine.api.EngineStatus;
import dev.omlx.engine.api.InferenceEngine;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code GET /actuator/scheduler}: what the engine computes now and what that holds. */
@Endpoint(id = "scheduler")
final class SchedulerEndpoint {
    private final InferenceEngine engine;

    SchedulerEndpoint(InferenceEngine engine) {
        this.engine = engine;
    }

    @ReadOperation
    Report report() {
        EngineStatus status = engine.status();
        return new Report(status.phase(), new Sequences(status.running(), status.waiting()), status.memory());
    }

    record Report(EngineStatus.Phase phase, Sequences sequences, EngineStatus.Memory memory) {}

    record Sequences(int running, int waiting) {}
}
