package dev.omlx.api.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import dev.omlx.testsupport.Script;
import dev.omlx.testsupport.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

class KeepAliveTests {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    @RegisterExtension
    static final TestServer chunks = TestServer.with("omlx.server.sse-keepalive=200ms");

    @RegisterExtension
    static final TestServer comments =
            TestServer.with("omlx.server.sse-keepalive=200ms", "omlx.server.sse-keepalive-mode=comment");

    @RegisterExtension
    static final TestServer silent =
            TestServer.with("omlx.server.sse-keepalive=200ms", "omlx.server.sse-keepalive-mode=off");

    @Test
    void speaksWhenAnIntervalWentByInSilence() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        TestPublisher<String> frames = TestPublisher.create();

        StepVerifier.create(KeepAlive.between(frames.flux(), INTERVAL, "idle", time))
                .then(() -> time.advanceTimeBy(Duration.ofMinutes(1)))
                .then(() -> frames.next("a"))
                .expectNext("a")
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(9)))
                .then(() -> frames.next("b"))
                .expectNext("b")
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(9)))
                .then(() -> time.advanceTimeBy(Duration.ofMillis(3500)))
                .expectNext("idle")
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(20)))
                .expectNext("idle", "idle")
                .then(() -> frames.next("c").complete())
                .expectNext("c")
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void failsWithTheFrames() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();

        StepVerifier.create(
                        KeepAlive.between(Flux.error(new EngineException.ModelNotFound("x")), INTERVAL, "idle", time))
                .expectError(EngineException.ModelNotFound.class)
                .verify(PATIENCE);
    }

    @Test
    void cancelsTheFrames() {
        TestPublisher<String> frames = TestPublisher.create();

        StepVerifier.create(KeepAlive.between(frames.flux(), INTERVAL, "idle", VirtualTimeScheduler.create()))
                .then(() -> frames.next("a"))
                .expectNext("a")
                .thenCancel()
                .verify(PATIENCE);

        frames.assertWasCancelled();
    }

    @Test
    void saysNothingToAClientThatDoesNotRead() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        TestPublisher<String> frames = TestPublisher.create();

        StepVerifier.create(KeepAlive.between(frames.flux(), INTERVAL, "idle", time), 1)
                .then(() -> frames.next("a"))
                .expectNext("a")
                .then(() -> time.advanceTimeBy(Duration.ofMinutes(10)))
                .thenRequest(100)
                .expectNext("idle")
                .then(frames::complete)
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void fillsSilenceWithChunksOfTheStreamItself() {
        List<String> lines = lines(chunks);

        String first = lines.getFirst();
        String idle = first.replaceFirst("\\{\"role\":.*?}", "{}");
        assertThat(first).contains("\"role\":\"assistant\"");
        assertThat(lines.subList(1, lines.size() - 3))
                .hasSizeGreaterThanOrEqualTo(2)
                .containsOnly(idle);
        assertThat(lines.get(lines.size() - 3)).contains("\"content\":\"late\"");
    }

    @Test
    void fillsSilenceWithComments() {
        List<String> lines = lines(comments);

        assertThat(lines.subList(1, lines.size() - 3))
                .hasSizeGreaterThanOrEqualTo(2)
                .containsOnly(": keep-alive");
    }

    @Test
    void leavesSilence() {
        assertThat(lines(silent)).hasSize(4);
    }

    @Test
    void saysNothingBeforeTheRequestIsAccepted() {
        chunks.engine().play(Script.empty().pause(Duration.ofSeconds(1)).fail(new EngineException.ModelNotFound("x")));

        assertThat(chunks.post("/v1/chat/completions", body()).getStatus().value())
                .isEqualTo(404);
    }

    private static List<String> lines(TestServer server) {
        server.engine()
                .play(Script.empty()
                        .start()
                        .pause(Duration.ofSeconds(1))
                        .say("late")
                        .stop(1));
        return String.valueOf(server.post("/v1/chat/completions", body()).getResponseBody())
                .lines()
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static String body() {
        return "{\"messages\": [{\"role\": \"user\", \"content\": \"Hi\"}], \"stream\": true}";
    }
}
