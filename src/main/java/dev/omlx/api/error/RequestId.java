package dev.omlx.api.error;

import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/** The name of an HTTP request: it stands in the response's header, in errors and in the log. */
public final class RequestId {
    /** Header of request (where the client names it) and response. */
    public static final String HEADER = "x-request-id";

    /** Header of responses by which Anthropic's clients know it. */
    public static final String ANTHROPIC_HEADER = "request-id";

    /** What may be echoed; anything else could forge log lines or headers. */
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");

    private RequestId() {}

    /** Names the exchange: by the client's word if that is sane, else at random. */
    public static void assign(ServerWebExchange exchange) {
        String asked = exchange.getRequest().getHeaders().getFirst(HEADER);
        boolean sane = asked != null && SANE.matcher(asked).matches();
        exchange.getResponse().getHeaders().set(HEADER, sane ? asked : random());
    }

    /** The exchange's name. */
    public static String of(ServerWebExchange exchange) {
        @Nullable String id = exchange.getResponse().getHeaders().getFirst(HEADER);
        return id == null ? "unknown" : id;
    }

    /** A new name. */
    public static String random() {
        return random("req_");
    }

    /** A new name: {@code prefix} and 32 hexadecimal digits. */
    public static String random(String prefix) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "%s%016x%016x".formatted(prefix, random.nextLong(), random.nextLong());
    }
}
