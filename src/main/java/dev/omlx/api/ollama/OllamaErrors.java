package dev.omlx.api.ollama;

import dev.omlx.api.error.ApiError;
import dev.omlx.api.error.ErrorDialect;
import dev.omlx.api.error.ErrorKind;
import dev.omlx.engine.api.EngineException.ContextLengthExceeded;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;

/** Errors in the Ollama dialect: a sentence. */
final class OllamaErrors implements ErrorDialect, Ordered {
    @Override
    public int getOrder() {
        return 0;
    }

    @Override
    public boolean speaks(String path, HttpHeaders headers) {
        return path.equals("/api") || path.startsWith("/api/");
    }

    /** Begins with the words by which clients know it. */
    @Override
    public ApiError contextLengthExceeded(ContextLengthExceeded failure) {
        return new ApiError(
                ErrorKind.CONTEXT_LENGTH_EXCEEDED,
                "prompt too long; exceeded max context length of %d tokens: it has %s"
                        .formatted(failure.contextLength(), failure.promptTokens()),
                null,
                null);
    }

    @Override
    public Body body(ApiError error, String requestId) {
        return new Body(error.message());
    }

    record Body(String error) {}
}
