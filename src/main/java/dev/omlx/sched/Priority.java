package dev.omlx.sched;

/** Who goes first. A higher class is served first, and gives its memory back last. */
public enum Priority {
    HIGH(-1),
    NORMAL(0),
    LOW(1);

    private final int rank;

    Priority(int rank) {
        this.rank = rank;
    }

    boolean isAbove(Priority other) {
        return rank < other.rank;
    }

    /** How many head starts a sequence of this class stands behind a normal one; negative is ahead. */
    int rank() {
        return rank;
    }
}
