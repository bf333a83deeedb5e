package dev.omlx.api.anthropic;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.json.Json;
import dev.omlx.engine.api.EngineException;
import dev.omlx.engine.api.InferenceEngine;
import dev.omlx.engine.api.ModelDescription;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** {@code GET /v1/models} and {@code /v1/models/{id}} for clients that say which Anthropic version they speak. */
@RestController
final class AnthropicModelsController {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MOST = 1000;

    private final InferenceEngine engine;

    AnthropicModelsController(InferenceEngine engine) {
        this.engine = engine;
    }

    @GetMapping(path = "/v1/models", headers = AnthropicHeaders.VERSION)
    Mono<Void> list(ServerWebExchange exchange) {
        AnthropicHeaders.nameResponse(exchange);
        MultiValueMap<String, String> query = exchange.getRequest().getQueryParams();
        List<Model> all = engine.models().stream().map(Model::of).toList();
        Page page =
                Page.of(all, limit(query.getFirst("limit")), query.getFirst("after_id"), query.getFirst("before_id"));
        return Json.write(exchange.getResponse(), HttpStatus.OK, page);
    }

    /** @param rest what follows {@code /v1/models}, its slash included */
    @GetMapping(path = "/v1/models/{*rest}", headers = AnthropicHeaders.VERSION)
    Mono<Void> get(@PathVariable String rest, ServerWebExchange exchange) {
        String id = rest.substring(1);
        if (id.isEmpty()) {
            return list(exchange);
        }
        AnthropicHeaders.nameResponse(exchange);
        ModelDescription model = engine.model(id).orElseThrow(() -> new EngineException.ModelNotFound(id));
        return Json.write(exchange.getResponse(), HttpStatus.OK, Model.of(model));
    }

    private static int limit(@Nullable String given) {
        if (given == null) {
            return DEFAULT_LIMIT;
        }
        if (!given.matches("\\d{1,4}") || Integer.parseInt(given) < 1 || Integer.parseInt(given) > MOST) {
            throw new ApiException(ApiError.invalid("limit", "'limit' must be an integer between 1 and " + MOST));
        }
        return Integer.parseInt(given);
    }

    /**
     * A model on the wire.
     *
     * @param createdAt as RFC 3339 writes it
     * @param lifecycle whether it can still be used
     * @param maxInputTokens the context length
     * @param maxTokens the most that a request may ask for
     */
    record Model(
            String type,
            String id,
            String displayName,
            String createdAt,
            String lifecycle,
            int maxInputTokens,
            int maxTokens) {
        static Model of(ModelDescription model) {
            return new Model(
                    "model",
                    model.id(),
                    model.id(),
                    model.created().toString(),
                    "active",
                    model.contextLength(),
                    model.contextLength());
        }
    }

    record Page(
            List<Model> data,
            boolean hasMore,
            @Nullable String firstId,
            @Nullable String lastId) {
        /**
         * A part of the list.
         *
         * @param after id behind which it begins
         * @param before id before which it ends
         */
        static Page of(List<Model> all, int limit, @Nullable String after, @Nullable String before) {
            int from = after == null ? 0 : place(all, after) + 1;
            int end = before == null ? all.size() : Math.max(from, place(all, before));
            boolean fromTheEnd = before != null && after == null;
            int first = fromTheEnd ? Math.max(from, end - limit) : from;
            int last = fromTheEnd ? end : Math.min(end, from + limit);
            List<Model> data = all.subList(first, last);
            return new Page(
                    data,
                    fromTheEnd ? first > from : last < end,
                    data.isEmpty() ? null : data.getFirst().id(),
                    data.isEmpty() ? null : data.getLast().id());
        }

        private static int place(List<Model> all, String id) {
            return IntStream.range(0, all.size())
                    .filter(i -> all.get(i).id().equals(id))
                    .findFirst()
                    .orElseThrow(() -> new EngineException.ModelNotFound(id));
        }
    }
}
