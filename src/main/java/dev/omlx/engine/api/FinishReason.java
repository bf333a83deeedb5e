package dev.omlx.engine.api;

/** Why an answer ended. */
public enum FinishReason {
    /** An end token, or a stop text. */
    STOP,
    /** The most tokens asked for, or the context's end. */
    LENGTH
}
