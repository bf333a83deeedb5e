package dev.omlx.sched;

/** Whether a sequence may be the reason why steps failed. */
final class Suspicion {
    /** One that was in more failed steps than this stays alone to its end, so that it costs the others no more. */
    private static final int MOST = 2;

    private boolean active;
    private int times;
    private int clearedAt;

    boolean isActive() {
        return active;
    }

    /** A step failed that was to compute the sequence up to that position. */
    void raise(int position) {
        times += active ? 0 : 1;
        active = true;
        clearedAt = Math.max(clearedAt, position);
    }

    /**
     * A step that held the sequence alone went well, which clears it if that step came as far as the one that failed.
     *
     * @return whether it is a suspect no more
     */
    boolean clear(Work work) {
        if (!active || times > MOST || work.endPosition() < clearedAt) {
            return false;
        }
        active = false;
        return true;
    }
}
