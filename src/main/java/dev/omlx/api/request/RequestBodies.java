package dev.omlx.api.request;

import dev.omlx.api.ServerProperties;
import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerResponse;

/** Reads the JSON bodies of requests, within the server's limits of size, depth and time. */
public final class RequestBodies {
    private static final Duration WHEN_FULL = Duration.ofSeconds(2);

    private final ServerProperties limits;
    private final JsonBodyParser parser;
    private final BodyBudget budget;

    RequestBodies(ServerProperties limits, BodyBudget budget) {
        this.limits = limits;
        this.budget = budget;
        this.parser = new JsonBodyParser(limits.maxJsonDepth());
    }

    /** The request's body; emitted off the network's threads, as a large one takes time to read. */
    public Mono<JsonFields> read(ServerHttpRequest request) {
        return Mono.defer(() -> {
            requireJson(request.getHeaders());
            requireSize(request.getHeaders().getContentLength());
            BodyBudget.Share share = budget.open();
            return DataBufferUtils.join(request.getBody().map(part -> counted(part, share)), maxBytes())
                    .timeout(limits.readTimeout())
                    .onErrorMap(TimeoutException.class, late -> tooSlow())
                    .map(whole -> withinMemory(() -> text(whole)))
                    .defaultIfEmpty("")
                    .publishOn(Schedulers.boundedElastic())
                    .doOnNext(whole -> requireUnanswered(request))
                    .map(whole -> withinMemory(() -> parser.parse(whole)))
                    .doFinally(any -> share.close());
        });
    }

    /** The part, the caller's from then on; released if there is no room for it. */
    private static DataBuffer counted(DataBuffer part, BodyBudget.Share share) {
        if (!share.take(part.readableByteCount())) {
            DataBufferUtils.release(part);
            throw noRoom();
        }
        return part;
    }

    /** Reactor lets this error through to nobody, and the request would never end. */
    private static <T> T withinMemory(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (OutOfMemoryError full) {
            throw noRoom();
        }
    }

    private static ApiException noRoom() {
        return new ApiException(new ApiError(
                ErrorKind.UNAVAILABLE,
                "the server has no memory for a body of this size just now; send it again, or a smaller one",
                null,
                WHEN_FULL));
    }

    private int maxBytes() {
        return (int) Math.min(limits.maxBodySize().toBytes(), Integer.MAX_VALUE - 8);
    }

    private void requireSize(long contentLength) {
        if (contentLength > maxBytes()) {
            throw refused(
                    ErrorKind.REQUEST_TOO_LARGE,
                    "the request body has %d bytes, this server takes %d (omlx.server.max-body-size)"
                            .formatted(contentLength, maxBytes()));
        }
    }

    private static void requireJson(HttpHeaders headers) {
        @Nullable String encoding = headers.getFirst(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw refused(ErrorKind.UNSUPPORTED_MEDIA_TYPE, "compressed request bodies are not supported");
        }
        if (!isJson(headers)) {
            throw refused(
                    ErrorKind.UNSUPPORTED_MEDIA_TYPE,
                    "the request body must be JSON in UTF-8: send 'Content-Type: application/json'");
        }
    }

    /**
     * Also takes the type that curl names if it is not told one. Pages of other origins can send that one without being
     * asked for leave, but not without naming their origin, which is refused where it may not call.
     */
    private static boolean isJson(HttpHeaders headers) {
        try {
            @Nullable MediaType type = headers.getContentType();
            if (type == null) {
                return true;
            }
            boolean utf8 = type.getCharset() == null || type.getCharset().equals(StandardCharsets.UTF_8);
            boolean json = type.getSubtype().equals("json") || "json".equals(type.getSubtypeSuffix());
            return utf8 && (json || MediaType.APPLICATION_FORM_URLENCODED.equalsTypeAndSubtype(type));
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    /** A body may be whole and what comes behind it no HTTP, such as its trailers: that is refused below us. */
    private static void requireUnanswered(ServerHttpRequest request) {
        Object below = ServerHttpRequestDecorator.getNativeRequest(request);
        if (below instanceof HttpServerResponse response && response.hasSentHeaders()) {
            throw refused(ErrorKind.INVALID_REQUEST, "the request is not valid HTTP/1.1");
        }
    }

    private static ApiException tooSlow() {
        return refused(ErrorKind.REQUEST_TIMEOUT, "the request body did not arrive in time");
    }

    private static ApiException refused(ErrorKind kind, String message) {
        return new ApiException(ApiError.of(kind, message));
    }

    /** The buffer's text; takes the buffer over. */
    private static String text(DataBuffer buffer) {
        try {
            ByteBuffer bytes = ByteBuffer.allocate(buffer.readableByteCount());
            buffer.toByteBuffer(bytes);
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException malformed) {
            throw refused(ErrorKind.INVALID_REQUEST, "the request body is not valid UTF-8");
        } finally {
            DataBufferUtils.release(buffer);
        }
    }
}
