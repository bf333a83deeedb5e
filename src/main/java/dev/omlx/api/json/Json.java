package dev.omlx.api.json;

import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON that goes out. A record's components stand on the wire under their names in snake case; its nulls stand
 * there as null unless its component says otherwise.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();

    private Json() {}

    public static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** Sends {@code value} as the whole response. */
    public static Mono<Void> write(ServerHttpResponse response, HttpStatusCode status, Object value) {
        return Mono.defer(() -> writeText(response, status, MAPPER.writeValueAsBytes(value)));
    }

    /** Sends JSON that is written already, in UTF-8, as the whole response. */
    public static Mono<Void> writeText(ServerHttpResponse response, HttpStatusCode status, byte[] body) {
        return Mono.defer(() -> {
            response.setStatusCode(status);
            response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
            response.getHeaders().setContentLength(body.length);
            return response.writeWith(
                    Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
        });
    }
}
