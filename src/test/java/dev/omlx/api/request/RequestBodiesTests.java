package dev.omlx.api.request;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.api.ServerProperties;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.AbstractServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import reactor.core.publisher.Flux;
import reactor.test.publisher.TestPublisher;

/** Large bodies that are read at the same time. */
class RequestBodiesTests {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String LARGE = "{\"a\": \"" + "x".repeat(1000) + "\"}";

    private final RequestBodies bodies = new RequestBodies(
            new Binder(new MapConfigurationPropertySource()).bindOrCreate("omlx.server", ServerProperties.class),
            new BodyBudget(1500));

    @Test
    void oneByItselfMayBeLargerThanAllTogether() {
        TestPublisher<DataBuffer> parts = TestPublisher.create();
        CompletableFuture<@Nullable JsonFields> body = read(parts);

        parts.next(part("{\"a\": \"" + "x".repeat(2000)), part("\"}")).complete();

        assertThat(body)
                .succeedsWithin(SOON)
                .satisfies(read -> assertThat(requireNonNull(read).string("a")).hasSize(2000));
    }

    @Test
    void theOneThatThereIsNoRoomForIsToComeAgain() {
        TestPublisher<DataBuffer> slow = TestPublisher.create();
        CompletableFuture<@Nullable JsonFields> first = read(slow);
        slow.next(part(LARGE));
        TestPublisher<DataBuffer> late = TestPublisher.create();
        CompletableFuture<@Nullable JsonFields> second = read(late);

        late.next(part(LARGE));

        assertThat(second)
                .failsWithin(SOON)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(ApiException.class, refused -> {
                    assertThat(refused.error().kind()).isEqualTo(ErrorKind.UNAVAILABLE);
                    assertThat(refused.error().retryAfter()).isPositive();
                });
        slow.complete();
        assertThat(first).succeedsWithin(SOON);
        TestPublisher<DataBuffer> again = TestPublisher.create();
        CompletableFuture<@Nullable JsonFields> third = read(again);
        again.next(part(LARGE)).complete();
        assertThat(third).succeedsWithin(SOON);
    }

    @Test
    void whoGoesGivesItsRoomBack() {
        TestPublisher<DataBuffer> left = TestPublisher.create();
        var leaving = bodies.read(request(left)).subscribe();
        left.next(part(LARGE));
        leaving.dispose();

        TestPublisher<DataBuffer> next = TestPublisher.create();
        CompletableFuture<@Nullable JsonFields> body = read(next);
        TestPublisher<DataBuffer> beside = TestPublisher.create();
        CompletableFuture<@Nullable JsonFields> small = read(beside);
        next.next(part(LARGE)).complete();
        beside.next(part("{}")).complete();

        assertThat(body).succeedsWithin(SOON);
        assertThat(small).succeedsWithin(SOON);
    }

    private CompletableFuture<@Nullable JsonFields> read(TestPublisher<DataBuffer> parts) {
        return bodies.read(request(parts)).toFuture();
    }

    private static ServerHttpRequest request(TestPublisher<DataBuffer> parts) {
        return new Request(parts.flux());
    }

    private static DataBuffer part(String text) {
        return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** As it comes from a network that there is none of. */
    private static final class Request extends AbstractServerHttpRequest {
        private final Flux<DataBuffer> body;

        Request(Flux<DataBuffer> body) {
            super(HttpMethod.POST, URI.create("/"), null, new HttpHeaders());
            this.body = body;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return body;
        }

        @Override
        protected MultiValueMap<String, HttpCookie> initCookies() {
            return new LinkedMultiValueMap<>();
        }

        @Override
        protected @Nullable SslInfo initSslInfo() {
            return null;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T getNativeRequest() {
            return (T) "none";
        }
    }
}
