package dev.omlx.api.error;

/** Refuses a request; the client is told of {@link #error()}. */
public final class ApiException extends RuntimeException {
    private final transient ApiError error;

    public ApiException(ApiError error) {
        super(error.message());
        this.error = error;
    }

    public ApiError error() {
        return error;
    }

    /** The client's fault is no news to the server: a stack trace would only cost time. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
