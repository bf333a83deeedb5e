package dev.omlx.api.anthropic;

import dev.omlx.api.json.Json;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.api.stream.SseFrames;
import dev.omlx.engine.api.InferenceEngine;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * {@code POST /v1/messages} and {@code /v1/messages/count_tokens}. A client that goes away cancels its request, in both
 * modes.
 */
@RestController
final class MessagesController {
    private final InferenceEngine engine;
    private final RequestBodies bodies;
    private final MessagesRequestReader reader;
    private final AnswerStreams streams;

    MessagesController(
            InferenceEngine engine, RequestBodies bodies, MessagesRequestReader reader, AnswerStreams streams) {
        this.engine = engine;
        this.bodies = bodies;
        this.reader = reader;
        this.streams = streams;
    }

    @PostMapping("/v1/messages")
    Mono<Void> create(ServerWebExchange exchange) {
        AnthropicHeaders.nameResponse(exchange);
        return bodies.read(exchange.getRequest())
                .map(body -> reader.read(body, exchange.getRequest().getHeaders()))
                .flatMap(request -> request.stream() ? stream(request, exchange) : whole(request, exchange));
    }

    @PostMapping("/v1/messages/count_tokens")
    Mono<Void> count(ServerWebExchange exchange) {
        AnthropicHeaders.nameResponse(exchange);
        return bodies.read(exchange.getRequest())
                .flatMap(body -> engine.countTokens(
                        reader.model(body).id(),
                        reader.counted(body, exchange.getRequest().getHeaders())))
                .flatMap(tokens -> Json.write(exchange.getResponse(), HttpStatus.OK, new TokenCount(tokens)));
    }

    private Mono<Void> whole(MessagesRequest request, ServerWebExchange exchange) {
        return engine.generate(request.generation())
                .collect(() -> new MessageAnswer(request), MessageAnswer::add)
                .flatMap(answer -> Json.write(exchange.getResponse(), HttpStatus.OK, answer.message()));
    }

    private Mono<Void> stream(MessagesRequest request, ServerWebExchange exchange) {
        MessageStream stream = new MessageStream(request, streams.interval());
        return streams.write(
                exchange,
                engine.generate(request.generation()),
                stream::frames,
                error -> SseFrames.event("error", error),
                stream.idle());
    }

    record TokenCount(int inputTokens) {}
}
