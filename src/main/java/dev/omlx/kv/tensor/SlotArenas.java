package dev.omlx.kv.tensor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Who sits in which {@link SlotArena}: short sequences that decode together fill free slots, and make a new arena once
 * they fill most of it. Owns nothing but the lists; engine thread only.
 */
public final class SlotArenas {
    /** With fewer sequences in it an arena is not worth its empty slots. */
    private static final int FEW = SlotArena.SLOTS / 2;

    /** So many make a new arena: with fewer its empty slots cost more than the many small operations of each alone. */
    static final int ENOUGH = SlotArena.SLOTS * 3 / 4;

    /** At most so many slots are free in all arenas together. */
    public static final int MOST_FREE = SlotArena.SLOTS - 1 + FEW;

    private final List<SlotArena> arenas = new ArrayList<>();

    /**
     * Finds slots for those that have none and makes way for those that have outgrown theirs. Needs a {@link
     * dev.omlx.mlx.TensorScope}.
     *
     * @param decoding the sequences that get one position each in the next step
     */
    public void arrange(List<SequenceCache> decoding) {
        arenas.forEach(SlotArena::dismissOutgrown);
        arenas.removeIf(arena -> arena.count() == 0);
        dissolveOne();
        Deque<SequenceCache> joining =
                new ArrayDeque<>(decoding.stream().filter(SlotArenas::mayJoin).toList());
        for (SlotArena arena : arenas) {
            while (arena.count() < SlotArena.SLOTS && !joining.isEmpty()) {
                arena.join(joining.remove());
            }
        }
        while (joining.size() >= ENOUGH) {
            arenas.add(new SlotArena(take(joining)));
        }
    }

    private static boolean mayJoin(SequenceCache sequence) {
        return !sequence.isSeated() && sequence.length() > 0 && sequence.length() < SlotArena.CAPACITY;
    }

    private static List<SequenceCache> take(Deque<SequenceCache> joining) {
        List<SequenceCache> first = new ArrayList<>(SlotArena.SLOTS);
        while (first.size() < SlotArena.SLOTS && !joining.isEmpty()) {
            first.add(joining.remove());
        }
        return first;
    }

    /** The emptiest arena, if those in it fit elsewhere, or are too few; they find their new slots as others do. */
    private void dissolveOne() {
        arenas.stream().min(Comparator.comparingInt(SlotArena::count)).ifPresent(emptiest -> {
            int free = arenas.stream()
                    .mapToInt(arena -> SlotArena.SLOTS - arena.count())
                    .sum();
            int elsewhere = free - (SlotArena.SLOTS - emptiest.count());
            if (emptiest.count() < FEW || emptiest.count() <= elsewhere) {
                emptiest.dissolve();
                arenas.remove(emptiest);
            }
        });
    }

    /** No arena can be trusted any more. */
    public void lose() {
        arenas.forEach(SlotArena::lose);
        arenas.clear();
    }
}
