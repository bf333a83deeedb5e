package dev.omlx.sched;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The suspects of one model: sequences that were in a step that failed. Each is computed alone until it is cleared, so
 * that the next failure names the one to blame. They take turns with each other, and together with everybody else.
 */
final class Quarantine {
    private final Set<Sequence> suspects = new LinkedHashSet<>();
    private boolean due = true;

    boolean isEmpty() {
        return suspects.isEmpty();
    }

    void add(Sequence suspect) {
        suspects.add(suspect);
    }

    boolean remove(Sequence sequence) {
        return suspects.remove(sequence);
    }

    /** The one whose turn it is first. */
    List<Sequence> inTurn() {
        return List.copyOf(suspects);
    }

    List<Sequence> running() {
        return suspects.stream().filter(Sequence::running).toList();
    }

    List<Sequence> waiting() {
        return suspects.stream().filter(suspect -> !suspect.running()).toList();
    }

    /** Whether the next step is a suspect's rather than everybody else's. */
    boolean isDue() {
        return due && !isEmpty();
    }

    /** A suspect has had its step. */
    void served(Sequence suspect) {
        if (suspects.remove(suspect)) {
            suspects.add(suspect);
        }
        due = false;
    }

    /** Everybody else has had a step. */
    void passedOver() {
        due = true;
    }
}
