package dev.omlx.engine.api;

/** Why an answer ended. */
public enum FinishReason {
    /** An end token, or a stop text. */
    STOP,
    /** As {@link #STOP}, and the model called tools: it waits for what they return. */
    TOOL_CALLS,
    /** The most tokens asked for, or the context's end. */
    LENGTH
}
