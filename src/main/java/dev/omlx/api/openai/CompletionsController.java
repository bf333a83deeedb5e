package dev.omlx.api.openai;

import dev.omlx.api.json.Json;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.api.stream.AnswerStreams;
import dev.omlx.api.stream.SseFrames;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.Prompt;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code POST /v1/completions}. A client that goes away cancels its request, all prompts of it, in both modes. */
@RestController
final class CompletionsController {
    private final InferenceEngine engine;
    private final RequestBodies bodies;
    private final CompletionRequestReader reader;
    private final AnswerStreams streams;

    CompletionsController(
            InferenceEngine engine, RequestBodies bodies, CompletionRequestReader reader, AnswerStreams streams) {
        this.engine = engine;
        this.bodies = bodies;
        this.reader = reader;
        this.streams = streams;
    }

    @PostMapping("/v1/completions")
    Mono<Void> complete(ServerWebExchange exchange) {
        return bodies.read(exchange.getRequest())
                .map(body -> reader.read(body, exchange.getRequest().getHeaders()))
                .flatMap(request -> request.stream().stream() ? stream(request, exchange) : whole(request, exchange));
    }

    private Mono<Void> whole(CompletionRequest request, ServerWebExchange exchange) {
        return events(request)
                .collect(() -> new CompletionAnswer(request, now()), CompletionAnswer::add)
                .flatMap(answer -> Json.write(exchange.getResponse(), HttpStatus.OK, answer.response()));
    }

    private Mono<Void> stream(CompletionRequest request, ServerWebExchange exchange) {
        CompletionStream stream = new CompletionStream(request, now(), streams.interval());
        return streams.write(exchange, events(request), stream::frames, SseFrames::data, stream.idle());
    }

    private Flux<PromptEvent> events(CompletionRequest request) {
        Flux<PromptEvent> events = PromptRounds.events(engine, request);
        return request.generations().size() == 1
                ? events
                : requireAllFit(request).thenMany(events);
    }

    /** Refuses all prompts for one that is too long, before any of them is served. */
    private Mono<Void> requireAllFit(CompletionRequest request) {
        int context = request.model().contextLength();
        return Flux.range(0, request.generations().size())
                .concatMap(prompt -> tokens(request, prompt))
                .doOnNext(tokens -> {
                    if (tokens >= context) {
                        throw new EngineException.ContextLengthExceeded("prompt", tokens, context);
                    }
                })
                .then();
    }

    private Mono<Integer> tokens(CompletionRequest request, int index) {
        Prompt prompt = request.generations().get(index).prompt();
        return engine.countTokens(request.model().id(), prompt)
                .onErrorMap(
                        EngineException.InvalidRequest.class,
                        refused -> refused.of("%s[%d]".formatted(refused.parameter(), index)));
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }
}
