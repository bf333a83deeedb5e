package dev.omlx.api.http;

import dev.omlx.security.ApiKey;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Who may call the server.
 *
 * @param apiKeys keys one of which every client must show, each as it is or as sha256: and the hash of it in hexadecimal
 *     digits; without any nobody is asked
 * @param requestsPerMinute requests that may begin with one key in a minute, further ones are refused with 429; as many
 *     may come at once after a pause. By default any number
 * @param concurrentRequests requests that may be under way at once with one key, further ones are refused with 429. By
 *     default any number
 * @param allowUnauthenticated let anyone call who reaches the server, on addresses other than loopback too
 */
@Validated
@ConfigurationProperties(AuthProperties.PREFIX)
public record AuthProperties(
        @DefaultValue List<ApiKey> apiKeys,
        @Min(1) @Nullable Integer requestsPerMinute,
        @Min(1) @Nullable Integer concurrentRequests,
        @DefaultValue("false") boolean allowUnauthenticated) {
    static final String PREFIX = "omlx.auth";

    public AuthProperties {
        apiKeys = List.copyOf(apiKeys);
    }
}
