package dev.omlx.engine.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why a request was not served. Each kind maps once to each API dialect. */
public abstract sealed class EngineException extends RuntimeException {
    private EngineException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** A field's value cannot be served. */
    public static final class InvalidRequest extends EngineException {
        private final String parameter;

        /** @param parameter the field of the request, such as {@code max_tokens} */
        public InvalidRequest(String parameter, String message) {
            super(message, null);
            this.parameter = parameter;
        }

        public String parameter() {
            return parameter;
        }

        /** The same, where the field has another name. */
        public InvalidRequest of(String otherParameter) {
            return new InvalidRequest(otherParameter, String.valueOf(getMessage()));
        }
    }

    /** The prompt alone does not fit the model's context. */
    public static final class ContextLengthExceeded extends EngineException {
        private final String parameter;
        private final String promptTokens;
        private final int contextLength;

        /** @param parameter the field of the request that holds the prompt */
        public ContextLengthExceeded(String parameter, int promptTokens, int contextLength) {
            this(parameter, String.valueOf(promptTokens), contextLength);
        }

        private ContextLengthExceeded(String parameter, String promptTokens, int contextLength) {
            super("the prompt has " + promptTokens + " tokens, the model's context " + contextLength, null);
            this.parameter = parameter;
            this.promptTokens = promptTokens;
            this.contextLength = contextLength;
        }

        /** The prompt was not counted, being too long by far. */
        public static ContextLengthExceeded byFar(String parameter, int leastPromptTokens, int contextLength) {
            return new ContextLengthExceeded(parameter, "at least " + leastPromptTokens, contextLength);
        }

        public String parameter() {
            return parameter;
        }

        /** The same, where the field has another name. */
        public ContextLengthExceeded of(String otherParameter) {
            return new ContextLengthExceeded(otherParameter, promptTokens, contextLength);
        }

        /** A number, after "at least" where it was not counted. */
        public String promptTokens() {
            return promptTokens;
        }

        public int contextLength() {
            return contextLength;
        }
    }

    /** No model has that id or alias. */
    public static final class ModelNotFound extends EngineException {
        public ModelNotFound(String model) {
            super("the model '" + model + "' does not exist", null);
        }

        public ModelNotFound(String model, String reason) {
            super("the model '" + model + "' does not exist: " + reason, null);
        }

        /**
         * There is no model for that.
         *
         * @param model the one that was asked for; null for any
         * @param purpose what it would have to do
         */
        public static ModelNotFound forPurpose(@Nullable String model, String purpose) {
            return new ModelNotFound(
                    model == null ? "default" : model, "no model that " + purpose + " can be loaded yet");
        }
    }

    /** There is no room now; the same request may be served later. */
    public static final class Overloaded extends EngineException {
        private final Duration retryAfter;

        public Overloaded(String message, Duration retryAfter) {
            super(message, null);
            this.retryAfter = retryAfter;
        }

        public Duration retryAfter() {
            return retryAfter;
        }
    }

    /** Memory is short: the request would be served on its own, or with a shorter answer. */
    public static final class OutOfMemory extends EngineException {
        private final Duration retryAfter;

        public OutOfMemory(String message, Duration retryAfter) {
            super(message, null);
            this.retryAfter = retryAfter;
        }

        public Duration retryAfter() {
            return retryAfter;
        }
    }

    /** The server is starting or stopping, or the engine has failed. */
    public static final class Unavailable extends EngineException {
        public Unavailable(String message) {
            super(message, null);
        }
    }

    /** Something broke while the request ran. */
    public static final class Failed extends EngineException {
        public Failed(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
