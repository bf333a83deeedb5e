package dev.omlx.kv.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The KV cache of one sequence: a {@link LayerCache} a layer, or for as long as {@link SlotArenas} find it better a slot
 * of a {@link SlotArena}. Owned by whoever made it. Engine thread only.
 */
public final class SequenceCache implements AutoCloseable {
    private final List<LayerCache> layers;
    private @Nullable SlotArena arena;
    private int slot;
    private int lost;

    /**
     * An empty cache.
     *
     * @param layers of the model
     * @param expected positions that will surely come, for which there is room once the first has come
     */
    public SequenceCache(int layers, int expected) {
        this.layers = IntStream.range(0, layers)
                .mapToObj(layer -> new LayerCache(expected))
                .toList();
    }

    private SequenceCache(List<LayerCache> layers) {
        this.layers = layers;
    }

    /**
     * A cache of the same first positions, in buffers of its own: a later change of either shows in neither. The caller
     * owns it. Needs a {@link dev.omlx.mlx.TensorScope}; the copy is made when it is first computed with.
     *
     * @param positions how many, at least 1
     * @throws IllegalArgumentException if there are not so many
     */
    public SequenceCache fork(int positions) {
        if (positions < 1 || positions > length()) {
            throw new IllegalArgumentException("cannot copy " + positions + " of " + length() + " positions");
        }
        List<LayerCache> copies = new ArrayList<>(layers.size());
        try {
            for (int layer = 0; layer < layers.size(); layer++) {
                copies.add(LayerCache.copyOf(first(layer, positions)));
            }
        } catch (RuntimeException e) {
            copies.forEach(LayerCache::close);
            throw e;
        }
        return new SequenceCache(copies);
    }

    private KeysValues first(int layer, int positions) {
        return arena == null ? layers.get(layer).first(positions) : arena.view(layer, slot, positions);
    }

    /**
     * Its own buffers.
     *
     * @throws IllegalStateException if it has a slot instead
     */
    public LayerCache layer(int index) {
        if (arena != null) {
            throw new IllegalStateException("the keys and values stand in slot " + slot + " of an arena");
        }
        return layers.get(index);
    }

    List<LayerCache> layers() {
        return layers;
    }

    /** Positions held. */
    public int length() {
        return arena == null ? layers.getFirst().length() : arena.length(slot);
    }

    /** The arena it has a slot of, or null. */
    public @Nullable SlotArena arena() {
        return arena;
    }

    boolean isSeated() {
        return arena != null;
    }

    /** Its slot; of no meaning without an arena. */
    public int slot() {
        return slot;
    }

    /** How many positions it held when its arena was given up, all of which have to be computed anew; usually 0. */
    public int lost() {
        return lost;
    }

    /** Its keys and values stand there now. */
    void moveInto(SlotArena arena, int slot) {
        layers.forEach(LayerCache::close);
        this.arena = arena;
        this.slot = slot;
    }

    /** Takes its keys and values back into buffers of its own. Needs a {@link dev.omlx.mlx.TensorScope}. */
    public void moveOut() {
        if (arena != null) {
            int length = arena.length(slot);
            for (int layer = 0; layer < layers.size(); layer++) {
                layers.get(layer).append(arena.view(layer, slot, length));
            }
            leave();
        }
    }

    void lose() {
        lost = length();
        leave();
    }

    private void leave() {
        if (arena != null) {
            arena.leave(slot);
            arena = null;
        }
    }

    @Override
    public void close() {
        leave();
        layers.forEach(LayerCache::close);
    }
}
