package dev.omlx.api;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * How the HTTP faces treat their clients.
 *
 * @param maxBodySize largest request body; a larger one is refused with 413
 * @param maxJsonDepth deepest nesting of arrays and objects in a request body; a deeper one is refused with 400
 * @param headerTimeout time a client has to send the header of a request, from its first byte; then the connection is
 *     closed
 * @param readTimeout time a client has to send the body of a request; then it is refused with 408
 * @param writeTimeout how long a client may take nothing of what is ready for it; then its request is aborted and the
 *     connection closed
 * @param idleTimeout how long a connection stays open without a request
 * @param streamingInterval tokens per frame of a streamed answer; the first token is always sent at once
 * @param sseKeepalive how long a streamed answer may be silent before a keep-alive frame is sent
 * @param sseKeepaliveMode what a keep-alive frame is: a chunk without content, an SSE comment, or nothing
 * @param corsOrigins origins whose web pages may call the server, such as https://chat.example.org; * in a pattern
 *     matches anything, and an empty list lets no page call
 * @param allowedHosts further names (without port) by which clients may call a server that listens on a loopback
 *     address; others are refused, so that a web page cannot reach it by rebinding its own name. * allows every name.
 *     On other addresses names are checked only if this list has some
 */
@Validated
@ConfigurationProperties("omlx.server")
public record ServerProperties(
        @DefaultValue("32MB") DataSize maxBodySize,
        @DefaultValue("200") @Min(1) @Max(10_000) int maxJsonDepth,
        @DefaultValue("10s") @DurationMin(millis = 1) Duration headerTimeout,
        @DefaultValue("30s") @DurationMin(millis = 1) Duration readTimeout,
        @DefaultValue("60s") @DurationMin(millis = 1) Duration writeTimeout,
        @DefaultValue("75s") @DurationMin(millis = 1) Duration idleTimeout,
        @DefaultValue("1") @Min(1) int streamingInterval,
        @DefaultValue("10s") @DurationMin(millis = 1) Duration sseKeepalive,
        @DefaultValue("chunk") KeepaliveMode sseKeepaliveMode,

        @DefaultValue("*")
        List<
                        @Pattern(
                                regexp = "\\*|[a-z*][a-z0-9+.*-]*://[^\\s/\\\\]+",
                                message = "must be an origin such as https://chat.example.org")
                        String>
                corsOrigins,

        @DefaultValue
        List<
                        @Pattern(
                                regexp = "[^\\s/:]+|\\[?[0-9a-fA-F:]+]?",
                                message = "must be a name without port, such as mac.example.org")
                        String>
                allowedHosts) {

    public ServerProperties {
        if (maxBodySize.toBytes() <= 0) {
            throw new IllegalArgumentException(
                    "omlx.server.max-body-size is " + maxBodySize + ", but must be above zero");
        }
        corsOrigins = List.copyOf(corsOrigins);
        allowedHosts = List.copyOf(allowedHosts);
    }

    /** What is sent while a streamed answer is silent. */
    public enum KeepaliveMode {
        /** A frame of the stream's own dialect that says nothing. */
        CHUNK,
        /** An SSE comment line. */
        COMMENT,
        /** Nothing. */
        OFF
    }
}
