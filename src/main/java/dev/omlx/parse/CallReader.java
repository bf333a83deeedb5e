package dev.omlx.parse;

import java.util.List;

/** Reads one call, or several that are written as one, char by char from behind its opening mark. For one use. */
interface CallReader {
    enum Step {
        MORE,
        /** The call is whole with this char. */
        DONE,
        /** The call was whole before this char, which is not part of it. */
        DONE_BEFORE,
        /** With this char it cannot be a call. */
        FAILED
    }

    Step accept(char c);

    /** Whether the call is whole if nothing follows. */
    boolean isWhole();

    /** Whether so much was read that it is no prose about calls, but a call, be it whole or not. */
    boolean hasBegun();

    /** How many of the first chars that it took are marks, too. */
    default int marks() {
        return 0;
    }

    /** What was read, once it is whole; empty if it makes no sense. */
    List<RawCall> calls();
}
