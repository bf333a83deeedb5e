package dev.omlx.api.ollama;

import dev.omlx.api.json.Json;
import dev.omlx.api.request.Dimensions;
import dev.omlx.api.request.JsonFields;
import dev.omlx.api.request.RequestBodies;
import dev.omlx.engine.api.Embedder;
import dev.omlx.engine.api.Prompt;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** {@code POST /api/embed}, and the older {@code /api/embeddings} for one text. */
@RestController
final class EmbedController {
    private static final int MAX_INPUTS = 2048;

    private final Embedder embedder;
    private final RequestBodies bodies;

    EmbedController(Embedder embedder, RequestBodies bodies) {
        this.embedder = embedder;
        this.bodies = bodies;
    }

    @PostMapping("/api/embed")
    Mono<Void> embed(ServerWebExchange exchange) {
        long start = System.nanoTime();
        return bodies.read(exchange.getRequest()).flatMap(body -> {
            // for their types alone
            body.flag("truncate", true);
            body.fields("options");
            Integer dimensions = Dimensions.read(body);
            return embedder.embed(model(body), inputs(body, "input"))
                    .map(embedded -> new Body(
                            body.requireString("model"),
                            embedded.vectors().stream()
                                    .map(vector -> Dimensions.cut(vector, dimensions))
                                    .toList(),
                            System.nanoTime() - start,
                            0,
                            embedded.promptTokens()))
                    .flatMap(embeddings -> Json.write(exchange.getResponse(), HttpStatus.OK, embeddings));
        });
    }

    @PostMapping("/api/embeddings")
    Mono<Void> embedOne(ServerWebExchange exchange) {
        return bodies.read(exchange.getRequest())
                .flatMap(body -> embedder.embed(model(body), inputs(body, "prompt")))
                .map(embedded -> new OneBody(embedded.vectors().getFirst()))
                .flatMap(embedding -> Json.write(exchange.getResponse(), HttpStatus.OK, embedding));
    }

    private static String model(JsonFields body) {
        return ModelNames.id(body.requireString("model"));
    }

    private static List<Prompt> inputs(JsonFields body, String field) {
        List<String> texts = body.oneOrMoreStrings(field);
        if (texts.isEmpty() || texts.size() > MAX_INPUTS || texts.contains("")) {
            throw body.invalid(field, "must have 1 to %d texts, none of them empty".formatted(MAX_INPUTS));
        }
        return texts.stream().<Prompt>map(Prompt.Text::new).toList();
    }

    /** @param totalDuration in nanoseconds, as all durations */
    record Body(String model, List<float[]> embeddings, long totalDuration, long loadDuration, int promptEvalCount) {}

    record OneBody(float[] embedding) {}
}
