package dev.omlx.api.error;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/** The kinds of failure that clients can tell apart, each with its HTTP status. */
public enum ErrorKind {
    INVALID_REQUEST(HttpStatus.BAD_REQUEST),
    CONTEXT_LENGTH_EXCEEDED(HttpStatus.BAD_REQUEST),
    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED),
    FORBIDDEN(HttpStatus.FORBIDDEN),
    MODEL_NOT_FOUND(HttpStatus.NOT_FOUND),
    NOT_FOUND(HttpStatus.NOT_FOUND),
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
    REQUEST_TIMEOUT(HttpStatus.REQUEST_TIMEOUT),
    REQUEST_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
    /** This client asks for more than its share. */
    RATE_LIMITED(HttpStatus.TOO_MANY_REQUESTS),
    /** All clients together ask for more than there is room for. */
    OVERLOADED(HttpStatus.TOO_MANY_REQUESTS),
    /** The server does not serve now. */
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE),
    NOT_IMPLEMENTED(HttpStatus.NOT_IMPLEMENTED),
    HTTP_VERSION_NOT_SUPPORTED(HttpStatus.HTTP_VERSION_NOT_SUPPORTED),
    FAILED(HttpStatus.INTERNAL_SERVER_ERROR);

    private final HttpStatus status;

    ErrorKind(HttpStatus status) {
        this.status = status;
    }

    public HttpStatus status() {
        return status;
    }

    /** The kind that a bare status stands for. */
    static ErrorKind of(HttpStatusCode status) {
        for (ErrorKind kind : values()) {
            if (kind.status.value() == status.value() && kind != MODEL_NOT_FOUND && kind != OVERLOADED) {
                return kind;
            }
        }
        return status.is4xxClientError() ? INVALID_REQUEST : FAILED;
    }
}
