package dev.omlx.api.openai.responses;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.api.http.Caller;
import dev.omlx.api.json.Json;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** {@code /v1/responses/{id}} and {@code /v1/responses/{id}/input_items}: responses that are kept, for their callers. */
@RestController
final class StoredResponsesController {
    private static final int SHOWN_ID = 100;

    private final ResponseStore store;

    StoredResponsesController(ResponseStore store) {
        this.store = store;
    }

    @GetMapping("/v1/responses/{id}")
    Mono<Void> get(@PathVariable String id, ServerWebExchange exchange) {
        String stream = exchange.getRequest().getQueryParams().getFirst("stream");
        if (stream != null && !stream.equals("false")) {
            throw new ApiException(ApiError.invalid("stream", "'stream' must be false: a kept response comes whole"));
        }
        return Json.writeText(
                exchange.getResponse(), HttpStatus.OK, find(id, exchange).json());
    }

    @DeleteMapping("/v1/responses/{id}")
    Mono<Void> delete(@PathVariable String id, ServerWebExchange exchange) {
        if (!store.delete(Caller.of(exchange), id)) {
            throw notFound(id);
        }
        return Json.write(exchange.getResponse(), HttpStatus.OK, new Deleted(id, "response", true));
    }

    @GetMapping("/v1/responses/{id}/input_items")
    Mono<Void> inputItems(@PathVariable String id, ServerWebExchange exchange) {
        ItemPage page = ItemPage.of(
                find(id, exchange).exchange().input(), exchange.getRequest().getQueryParams());
        return Json.write(exchange.getResponse(), HttpStatus.OK, page);
    }

    private StoredResponse find(String id, ServerWebExchange exchange) {
        return store.find(Caller.of(exchange), id).orElseThrow(() -> notFound(id));
    }

    private static ApiException notFound(String id) {
        String shown = id.substring(0, Math.min(id.length(), SHOWN_ID));
        return new ApiException(ApiError.of(
                ErrorKind.NOT_FOUND, "there is no response '" + shown + "': it never was, was deleted, or made room"));
    }

    record Deleted(String id, String object, boolean deleted) {}
}
