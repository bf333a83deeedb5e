package dev.omlx.api.error;

import dev.omlx.engine.api.EngineException.ContextLengthExceeded;
import org.springframework.http.HttpHeaders;

/** How one family of endpoints words its errors. */
public interface ErrorDialect {
    /**
     * Whether the client speaks this dialect to the endpoint of that path.
     *
     * @param path without doubled slashes
     */
    boolean speaks(String path, HttpHeaders headers);

    /** The prompt alone does not fit the model's context; clients parse these words. */
    ApiError contextLengthExceeded(ContextLengthExceeded failure);

    /** The body to send, for Jackson to write. */
    Object body(ApiError error, String requestId);

    /** Adds what this dialect shows of an error in headers. */
    default void addHeaders(HttpHeaders headers, ApiError error, String requestId) {}
}
