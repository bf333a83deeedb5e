package dev.omlx.engine.api;

/** Which of two requests goes first where not all can: when they wait, and when memory must be given back. */
public enum Priority {
    HIGH,
    NORMAL,
    LOW
}
