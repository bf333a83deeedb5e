package dev.omlx.api.ollama;

import dev.omlx.api.json.Json;
import dev.omlx.api.ollama.AnswerLine.Ending;
import dev.omlx.api.ollama.AnswerLine.Part;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.api.stream.StreamFormat;
import dev.omlx.engine.api.GenerationRequest;
import dev.omlx.engine.api.InferenceEngine;
import java.util.List;
import java.util.function.BiFunction;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * {@code POST /api/chat} and {@code /api/generate}, which stream unless they are told not to. A client that goes away
 * cancels its request, in both modes.
 */
@RestController
final class AnswerController {
    private final InferenceEngine engine;
    private final RequestBodies bodies;
    private final AnswerRequestReader reader;
    private final AnswerStreams streams;

    AnswerController(InferenceEngine engine, RequestBodies bodies, AnswerRequestReader reader, AnswerStreams streams) {
        this.engine = engine;
        this.bodies = bodies;
        this.reader = reader;
        this.streams = streams;
    }

    @PostMapping("/api/chat")
    Mono<Void> chat(ServerWebExchange exchange) {
        return answer(exchange, reader::chat);
    }

    @PostMapping("/api/generate")
    Mono<Void> generate(ServerWebExchange exchange) {
        return answer(exchange, reader::generate);
    }

    private Mono<Void> answer(ServerWebExchange exchange, BiFunction<JsonFields, HttpHeaders, AnswerRequest> reading) {
        return bodies.read(exchange.getRequest())
                .map(body -> reading.apply(body, exchange.getRequest().getHeaders()))
                .flatMap(request -> answer(exchange, request));
    }

    private Mono<Void> answer(ServerWebExchange exchange, AnswerRequest request) {
        GenerationRequest generation = request.generation();
        if (generation == null) {
            Part nothing = Part.of(request.shape(), "", "", List.of());
            return write(exchange, AnswerLine.of(request, nothing, List.of(), Ending.LOADED));
        }
        if (!request.stream()) {
            return engine.generate(generation)
                    .collect(() -> new WholeAnswer(request), WholeAnswer::add)
                    .flatMap(answer -> write(exchange, answer.line()));
        }
        AnswerStream stream = new AnswerStream(request, streams.interval());
        return streams.write(
                exchange,
                StreamFormat.LINES,
                engine.generate(generation),
                stream::lines,
                AnswerStream::fault,
                stream.idle());
    }

    private static Mono<Void> write(ServerWebExchange exchange, AnswerLine line) {
        return Json.write(exchange.getResponse(), HttpStatus.OK, line);
    }
}
