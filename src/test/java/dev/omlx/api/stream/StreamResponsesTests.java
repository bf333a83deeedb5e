package dev.omlx.api.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.api.ServerProperties;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class StreamResponsesTests {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final StreamResponses responses =
            new StreamResponses(new Binder(new MapConfigurationPropertySource(Map.of()))
                    .bindOrCreate("omlx.server", ServerProperties.class));
    private final MockServerHttpResponse response = new MockServerHttpResponse();
    private final AtomicInteger cancelled = new AtomicInteger();

    /** Frames that never end by themselves. */
    private final Flux<String> frames =
            Flux.<String>never().startWith("data: a\n\n").doOnCancel(cancelled::incrementAndGet);

    /** As when the connection was closed just before the first frame. */
    @Test
    void asksForNoMoreFramesWhenTheWriteFailsBeforeItTakesAny() {
        response.setWriteHandler(body -> Mono.error(new IOException("closed")));

        StepVerifier.create(
                        responses.write(response, StreamFormat.EVENTS, frames, ": idle\n\n", UnaryOperator.identity()))
                .expectError(IOException.class)
                .verify(PATIENCE);

        assertThat(cancelled).hasValue(1);
    }

    @Test
    void asksForNoMoreFramesWhenTheWriteEndsEarly() {
        response.setWriteHandler(body -> Mono.empty());

        StepVerifier.create(
                        responses.write(response, StreamFormat.EVENTS, frames, ": idle\n\n", UnaryOperator.identity()))
                .expectComplete()
                .verify(PATIENCE);

        assertThat(cancelled).hasValue(1);
    }

    @Test
    void asksForNoMoreFramesWhenNobodyWantsThem() {
        response.setWriteHandler(Flux::then);

        StepVerifier.create(
                        responses.write(response, StreamFormat.EVENTS, frames, ": idle\n\n", UnaryOperator.identity()))
                .thenAwait(Duration.ofMillis(10))
                .thenCancel()
                .verify(PATIENCE);

        assertThat(cancelled).hasValue(1);
    }
}
