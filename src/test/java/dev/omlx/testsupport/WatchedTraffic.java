package dev.omlx.testsupport;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds what goes over the wire against the OpenAPI document: requests that are served, fields that others are refused
 * for, and all answers.
 */
public final class WatchedTraffic implements HttpHandlerDecoratorFactory {
    /** A stream's later frames are like its first ones. */
    private static final int FRAMES = 200;

    private static final String DATA = "data: ";

    /** What a refusal says first, if it is of a field. Broken text is refused in fields that nobody reads, too. */
    private static final Pattern REFUSED_FIELD =
            Pattern.compile("\"'([^'.\\[\"]+)[^'\"]*' (?!holds half of a surrogate pair)");

    private final ApiContract contract = new ApiContract();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    /** What was wrong since the last time. */
    public List<String> takeViolations() {
        List<String> taken = new ArrayList<>();
        for (String next = violations.poll(); next != null; next = violations.poll()) {
            taken.add(next);
        }
        return taken;
    }

    @Override
    public HttpHandler apply(HttpHandler handler) {
        return (request, response) -> contract.operation(
                        request.getMethod().name(), request.getPath().value())
                .map(operation -> {
                    Request watched = new Request(request);
                    return handler.handle(watched, new Response(response, watched, operation));
                })
                .orElseGet(() -> handler.handle(request, response));
    }

    private static final class Request extends ServerHttpRequestDecorator {
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();

        Request(ServerHttpRequest request) {
            super(request);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return super.getBody().doOnNext(buffer -> body.writeBytes(bytes(buffer)));
        }
    }

    private final class Response extends ServerHttpResponseDecorator {
        private final Request request;
        private final String operation;
        private final AtomicInteger frames = new AtomicInteger();

        Response(ServerHttpResponse response, Request request, String operation) {
            super(response);
            this.request = request;
            this.operation = operation;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return super.writeWith(
                    body instanceof Mono<? extends DataBuffer> mono
                            ? mono.doOnNext(this::check)
                            : Flux.from(body).doOnNext(this::check));
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            return super.writeAndFlushWith(
                    Flux.from(body).map(frame -> Flux.from(frame).doOnNext(this::check)));
        }

        private void check(DataBuffer buffer) {
            int frame = frames.getAndIncrement();
            if (frame == 0) {
                checkRequest();
            }
            if (frame < FRAMES) {
                String text = new String(bytes(buffer), StandardCharsets.UTF_8);
                checkRefusal(text);
                checkAnswer(text);
            }
        }

        private void checkRequest() {
            if (status() == 200 && request.body.size() > 0) {
                String body = request.body.toString(StandardCharsets.UTF_8).replaceFirst("^\uFEFF", "");
                report(
                        "took the request " + body,
                        contract.violations(
                                operation, ApiContract.taken(JsonMapper.shared().readTree(body))));
            }
        }

        private void checkRefusal(String text) {
            Matcher refused = REFUSED_FIELD.matcher(text);
            if (status() != 400 || !refused.find()) {
                return;
            }
            String field = refused.group(1);
            JsonNode body = json(request.body.toString(StandardCharsets.UTF_8));
            if (body != null && body.has(field) && !contract.fields(operation).contains(field)) {
                report("refused " + body, List.of(field + " is not described"));
            }
        }

        private void checkAnswer(String text) {
            MediaType type = getHeaders().getContentType();
            String plain = type == null ? "nothing" : type.getType() + "/" + type.getSubtype();
            report("answered " + text, contract.violations(operation, status(), plain, json(text)));
        }

        private int status() {
            HttpStatusCode status = getStatusCode();
            return status == null ? 200 : status.value();
        }

        private void report(String what, List<String> problems) {
            if (!problems.isEmpty()) {
                violations.add(operation + " " + what + ": " + problems);
            }
        }
    }

    /** The JSON of a whole answer, of an event or of a line; null where there is none. */
    private static @Nullable JsonNode json(String text) {
        int data = text.startsWith("event: ") || text.startsWith(DATA) ? text.indexOf(DATA) + DATA.length() : 0;
        try {
            return text.startsWith(DATA + "[DONE]") || text.startsWith(":")
                    ? null
                    : JsonMapper.shared().readTree(text.substring(data));
        } catch (JacksonException plain) {
            return null;
        }
    }

    private static byte[] bytes(DataBuffer buffer) {
        ByteBuffer bytes = ByteBuffer.allocate(buffer.readableByteCount());
        buffer.toByteBuffer(bytes);
        return bytes.array();
    }
}
