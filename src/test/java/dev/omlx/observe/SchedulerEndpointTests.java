package dev.omlx.observe;

import dev.omlx.engine.api.EngineStatus;
import dev.omlx.engine.api.EngineStatus.Memory;
import dev.omlx.engine.api.EngineStatus.Phase;
import dev.omlx.testsupport.TestServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SchedulerEndpointTests {
    @RegisterExtension
    static final TestServer server = TestServer.with();

    @Test
    void showsSequencesAndMemory() {
        server.engine()
                .status(new EngineStatus(Phase.READY, null, 2, 3, new Memory(100, 20, 30, 7), Duration.ofMillis(1)));

        server.client()
                .get()
                .uri("/actuator/scheduler")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .json("""
                        {"phase": "READY", "sequences": {"running": 2, "waiting": 3},
                         "memory": {"activeBytes": 100, "kvReservedBytes": 20, "kvBudgetBytes": 30, "liveTensors": 7}}""");
    }
}
