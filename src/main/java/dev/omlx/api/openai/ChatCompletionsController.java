package dev.omlx.api.openai;

import dev.omlx.api.json.Json;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.api.stream.SseFrames;
import dev.omlx.engine.api.InferenceEngine;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** {@code POST /v1/chat/completions}. A client that goes away cancels its request, in both modes. */
@RestController
final class ChatCompletionsController {
    private final InferenceEngine engine;
    private final RequestBodies bodies;
    private final ChatRequestReader reader;
    private final AnswerStreams streams;

    ChatCompletionsController(
            InferenceEngine engine, RequestBodies bodies, ChatRequestReader reader, AnswerStreams streams) {
        this.engine = engine;
        this.bodies = bodies;
        this.reader = reader;
        this.streams = streams;
    }

    @PostMapping("/v1/chat/completions")
    Mono<Void> complete(ServerWebExchange exchange) {
        return bodies.read(exchange.getRequest())
                .map(body -> reader.read(body, exchange.getRequest().getHeaders()))
                .flatMap(request -> request.stream() ? stream(request, exchange) : whole(request, exchange));
    }

    private Mono<Void> whole(ChatCompletionRequest request, ServerWebExchange exchange) {
        return engine.generate(request.generation())
                .collect(() -> new ChatAnswer(request, now()), ChatAnswer::add)
                .flatMap(answer -> Json.write(exchange.getResponse(), HttpStatus.OK, answer.response()));
    }

    private Mono<Void> stream(ChatCompletionRequest request, ServerWebExchange exchange) {
        ChatStream stream = new ChatStream(request, now(), streams.interval());
        return streams.write(
                exchange, engine.generate(request.generation()), stream::frames, SseFrames::data, stream.idle());
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }
}
