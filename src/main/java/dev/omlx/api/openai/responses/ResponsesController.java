package dev.omlx.api.openai.responses;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.http.Caller;
import dev.omlx.api.json.Json;
import dev.omlx.api.openai.OpenAiErrors;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.GenerationEvent;
import dev.omlx.engine.api.GenerationEvent.Completed;
import dev.omlx.engine.api.InferenceEngine;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * {@code POST /v1/responses} and {@code /v1/responses/input_tokens}. A client that goes away cancels its request, in both
 * modes.
 */
@RestController
final class ResponsesController {
    private final InferenceEngine engine;
    private final RequestBodies bodies;
    private final ResponseRequestReader reader;
    private final ResponseStore store;
    private final AnswerStreams streams;

    ResponsesController(
            InferenceEngine engine,
            RequestBodies bodies,
            ResponseRequestReader reader,
            ResponseStore store,
            AnswerStreams streams) {
        this.engine = engine;
        this.bodies = bodies;
        this.reader = reader;
        this.store = store;
        this.streams = streams;
    }

    @PostMapping("/v1/responses")
    Mono<Void> create(ServerWebExchange exchange) {
        Caller caller = Caller.of(exchange);
        return bodies.read(exchange.getRequest())
                .map(body -> reader.read(body, exchange.getRequest().getHeaders(), caller))
                .flatMap(request -> request.stream() ? stream(request, exchange) : whole(request, exchange));
    }

    @PostMapping("/v1/responses/input_tokens")
    Mono<Void> count(ServerWebExchange exchange) {
        Caller caller = Caller.of(exchange);
        return bodies.read(exchange.getRequest())
                .flatMap(body -> engine.countTokens(reader.model(body).id(), reader.prompt(body, caller)))
                .onErrorMap(EngineException.class, ResponsesController::ofInput)
                .flatMap(tokens -> Json.write(exchange.getResponse(), HttpStatus.OK, TokenCount.of(tokens)));
    }

    private Mono<Void> whole(ResponseRequest request, ServerWebExchange exchange) {
        return generate(request)
                .collect(() -> answer(request), ResponseAnswer::events)
                .map(ResponseAnswer::whole)
                .doOnNext(response -> keep(response, request, exchange))
                .flatMap(response -> Json.write(exchange.getResponse(), HttpStatus.OK, response));
    }

    private Mono<Void> stream(ResponseRequest request, ServerWebExchange exchange) {
        ResponseAnswer answer = answer(request);
        return streams.write(
                exchange,
                generate(request),
                event -> events(event, answer, request, exchange),
                error -> answer.failed(failure(error)),
                answer.inProgress(),
                new ResponseStream()::frame);
    }

    /** The response is kept before the client knows of its end, as it may go on at once. */
    private List<StreamEvent> events(
            GenerationEvent event, ResponseAnswer answer, ResponseRequest request, ServerWebExchange exchange) {
        List<StreamEvent> events = answer.events(event);
        if (event instanceof Completed) {
            keep(answer.whole(), request, exchange);
        }
        return events;
    }

    private ResponseAnswer answer(ResponseRequest request) {
        return new ResponseAnswer(request, streams.interval());
    }

    private Flux<GenerationEvent> generate(ResponseRequest request) {
        return engine.generate(request.generation()).onErrorMap(EngineException.class, ResponsesController::ofInput);
    }

    /** Conversations come as another field here than the engine has it. */
    private static EngineException ofInput(EngineException failure) {
        return switch (failure) {
            case EngineException.ContextLengthExceeded tooLong -> tooLong.of(ItemFields.INPUT);
            case EngineException.InvalidRequest invalid ->
                invalid.parameter().equals("messages") ? invalid.of(ItemFields.INPUT) : invalid;
            default -> failure;
        };
    }

    private static ResponseBody.Failure failure(ApiError error) {
        String code = OpenAiErrors.code(error.kind());
        return new ResponseBody.Failure(code == null ? "server_error" : code, error.message());
    }

    /** Keeps the response if the client lets it. */
    private void keep(ResponseBody response, ResponseRequest request, ServerWebExchange exchange) {
        if (request.settings().store()) {
            byte[] json = Json.write(response).getBytes(StandardCharsets.UTF_8);
            List<Item> output = response.output().stream().map(OutputItem::item).toList();
            Exchange said = new Exchange(request.previous(), request.input(), output);
            store.put(new StoredResponse(response.id(), Caller.of(exchange), json, said));
        }
    }

    record TokenCount(String object, int inputTokens) {
        static TokenCount of(int tokens) {
            return new TokenCount("response.input_tokens", tokens);
        }
    }
}
