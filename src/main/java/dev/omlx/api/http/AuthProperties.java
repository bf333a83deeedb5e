package dev.omlx.api.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may call the server.
 *
 * @param allowUnauthenticated let anyone call who reaches the server, on addresses other than loopback too
 */
@ConfigurationProperties(AuthProperties.PREFIX)
public record AuthProperties(@DefaultValue("false") boolean allowUnauthenticated) {
    static final String PREFIX = "omlx.auth";
}
