package dev.omlx.api.stream;

import dev.omlx.api.ServerProperties;
import dev.omlx.api.ServerProperties.KeepaliveMode;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Sends streamed answers. */
final class StreamResponses {
    private final ServerProperties properties;

    StreamResponses(ServerProperties properties) {
        this.properties = properties;
    }

    /**
     * Sends the frames, each as soon as it is there, and keep-alive frames between them. Status and headers go out with
     * the first frame; if {@code frames} fails before it, nothing was sent and the returned Mono fails.
     *
     * @param idle the dialect's own frame that says nothing
     * @param encode makes a frame's text, in the order in which frames are sent
     */
    <T> Mono<Void> write(
            ServerHttpResponse response, StreamFormat format, Flux<T> frames, T idle, Function<T, String> encode) {
        response.setStatusCode(HttpStatus.OK);
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(format.mediaType());
        headers.setCacheControl("no-cache");
        // proxies such as nginx would collect frames otherwise
        headers.set("X-Accel-Buffering", "no");
        DataBufferFactory buffers = response.bufferFactory();
        // a connection that is found closed at the first frame fails the write, but nobody then cancels the frames
        Sinks.Empty<Void> over = Sinks.empty();
        Flux<Mono<DataBuffer>> sent = keptAlive(format, frames, idle, encode)
                .takeUntilOther(over.asMono())
                .map(frame -> buffer(frame, buffers));
        return response.writeAndFlushWith(sent).doFinally(any -> over.tryEmitEmpty());
    }

    private <T> Flux<String> keptAlive(StreamFormat format, Flux<T> frames, T idle, Function<T, String> encode) {
        KeepaliveMode mode = properties.sseKeepaliveMode();
        return switch (mode) {
            case CHUNK ->
                KeepAlive.between(frames, properties.sseKeepalive(), idle).map(encode);
            case COMMENT ->
                KeepAlive.between(
                        frames.map(encode), properties.sseKeepalive(), format.comment(() -> encode.apply(idle)));
            case OFF -> frames.map(encode);
        };
    }

    private static Mono<DataBuffer> buffer(String frame, DataBufferFactory buffers) {
        return Mono.just(buffers.wrap(frame.getBytes(StandardCharsets.UTF_8)));
    }
}
