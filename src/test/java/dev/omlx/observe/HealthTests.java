package dev.omlx.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineStatus;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.testsupport.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthTests {
    @RegisterExtension
    static final TestServer server = TestServer.with("omlx.health.heartbeat-timeout=5s");

    @ParameterizedTest
    @CsvSource({
        // phase, silent seconds, /health, its word, liveness, readiness
        "READY,    0, 200, ok,       200, 200",
        "READY,    6, 503, stuck,    503, 503",
        "STARTING, 0, 503, starting, 200, 503",
        "STARTING, 6, 503, starting, 503, 503",
        "DRAINING, 0, 503, draining, 200, 503",
        "STOPPED,  6, 503, stopped,  200, 503",
        "FAILED,   0, 503, failed,   503, 503",
    })
    void tellsHowTheEngineIs(Phase phase, int silence, int health, String word, int liveness, int readiness) {
        server.engine()
                .status(new EngineStatus(
                        phase,
                        phase == Phase.FAILED ? "secret" : null,
                        2,
                        3,
                        EngineStatus.Memory.NONE,
                        Duration.ofSeconds(silence)));

        server.client()
                .get()
                .uri("/health")
                .exchange()
                .expectStatus()
                .isEqualTo(health)
                .expectBody()
                .json("""
                        {"status": "%s", "default_model": "test/model", "engine_pool": {"model_count": 2},
                         "sequences": {"running": 2, "waiting": 3}}""".formatted(word));
        assertThat(status("/actuator/health/liveness")).isEqualTo(liveness);
        assertThat(status("/actuator/health/readiness")).isEqualTo(readiness);
    }

    @Test
    void answersHeadAndServersWithoutModels() {
        server.engine().models(List.of());

        server.client()
                .head()
                .uri("/health")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .isEmpty();
        server.client()
                .get()
                .uri("/health")
                .exchange()
                .expectBody()
                .jsonPath("$.engine_pool.model_count")
                .isEqualTo(0)
                .jsonPath("$.default_model")
                .isEmpty();
    }

    private static int status(String path) {
        return server.client()
                .get()
                .uri(path)
                .exchange()
                .expectBody(String.class)
                .returnResult()
                .getStatus()
                .value();
    }
}
