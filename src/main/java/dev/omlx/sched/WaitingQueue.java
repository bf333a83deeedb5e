package dev.omlx.sched;

import java.util.Iterator;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Sequences that hold no memory, in both orders that matter: by age and by size. */
final class WaitingQueue {
    private final NavigableSet<Sequence> byAge = new TreeSet<>(Sequence.BY_AGE);
    private final NavigableSet<Sequence> bySize = new TreeSet<>(Sequence.BY_SIZE);

    void add(Sequence sequence) {
        byAge.add(sequence);
        bySize.add(sequence);
    }

    void remove(Sequence sequence) {
        byAge.remove(sequence);
        bySize.remove(sequence);
    }

    boolean contains(Sequence sequence) {
        return byAge.contains(sequence);
    }

    @Nullable
    Sequence oldest() {
        return byAge.isEmpty() ? null : byAge.first();
    }

    Iterator<Sequence> smallestFirst() {
        return bySize.iterator();
    }

    Iterable<Sequence> all() {
        return byAge;
    }

    int size() {
        return byAge.size();
    }
}
