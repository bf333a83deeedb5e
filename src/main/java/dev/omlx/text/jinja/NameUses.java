package dev.omlx.text.jinja;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Notices while parsing which of the special variables a body uses before it assigns to them. */
final class NameUses {
    private static final class Watch {
        private final Set<String> watched;
        private final Set<String> used = new HashSet<>();

        Watch(Set<String> names) {
            watched = new HashSet<>(names);
        }
    }

    private final Deque<Watch> watches = new ArrayDeque<>();

    /** Starts to watch a body. */
    void watch(String... names) {
        watches.push(new Watch(Set.of(names)));
    }

    /** Ends the innermost watch: which of its names were used. */
    Set<String> unwatch() {
        return watches.pop().used;
    }

    void read(String name) {
        for (Watch watch : watches) {
            if (watch.watched.contains(name)) {
                watch.used.add(name);
            }
        }
    }

    void write(String name) {
        for (Watch watch : watches) {
            watch.watched.remove(name);
        }
    }
}
