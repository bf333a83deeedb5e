package dev.omlx.sched;

/** Why a sequence ended. */
public enum Ending {
    /** An end token or a stop text. */
    STOPPED,
    /** It has all the tokens it asked for. */
    LENGTH,
    /** Nobody wants it any more. */
    ABORTED,
    /** It cannot be computed; its KV cache must not be reused. */
    FAILED
}
