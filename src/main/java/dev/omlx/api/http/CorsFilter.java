package dev.omlx.api.http;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ApiException;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.api.error.RequestId;
import java.time.Duration;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.cors.reactive.DefaultCorsProcessor;

/** Lets web pages of the allowed origins call every endpoint, with whatever headers their client library sends. */
final class CorsFilter extends CorsWebFilter implements Ordered {
    private static final Duration MAX_AGE = Duration.ofHours(1);

    CorsFilter(List<String> originPatterns) {
        this(rules(originPatterns));
    }

    private CorsFilter(CorsConfiguration rules) {
        super(exchange -> rules, new Processor());
    }

    @Override
    public int getOrder() {
        return FilterOrder.CORS;
    }

    private static CorsConfiguration rules(List<String> originPatterns) {
        CorsConfiguration rules = new CorsConfiguration();
        rules.setAllowedOriginPatterns(originPatterns);
        rules.addAllowedMethod(CorsConfiguration.ALL);
        rules.addAllowedHeader(CorsConfiguration.ALL);
        rules.setExposedHeaders(List.of(RequestId.HEADER, RequestId.ANTHROPIC_HEADER, HttpHeaders.RETRY_AFTER));
        rules.setMaxAge(MAX_AGE);
        return rules;
    }

    /** Says no in the shape of all other errors. */
    private static final class Processor extends DefaultCorsProcessor {
        @Override
        protected void rejectRequest(ServerHttpResponse response) {
            throw new ApiException(ApiError.of(
                    ErrorKind.FORBIDDEN,
                    "web pages of this origin may not call this server; omlx.server.cors-origins can allow it"));
        }
    }
}
