package dev.omlx.kv.tensor;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values of short sequences side by side, {@code [slots, kvHeads, capacity, headDim]} a layer, so that a step in
 * which they decode writes and attends all of them with one operation each. Owns its buffers for as long as a sequence
 * has a slot in it; a slot that is free holds anything. Engine thread only.
 */
public final class SlotArena {
    /** Sequences side by side. */
    public static final int SLOTS = 8;

    /** Positions of a slot: what a sequence's own buffers have at first, so that a slot takes no more memory. */
    public static final int CAPACITY = LayerCache.CHUNK;

    private final Tensor[] keys;
    private final Tensor[] values;
    private final @Nullable SequenceCache[] members = new SequenceCache[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private int count;

    /** @param sequences at most {@link #SLOTS} caches of up to {@link #CAPACITY} positions, which move in */
    SlotArena(List<SequenceCache> sequences) {
        int layers = sequences.getFirst().layers().size();
        keys = new Tensor[layers];
        values = new Tensor[layers];
        for (int layer = 0; layer < layers; layer++) {
            keys[layer] = sideBySide(sequences, layer, LayerCache::keys);
            values[layer] = sideBySide(sequences, layer, LayerCache::values);
        }
        for (int slot = 0; slot < sequences.size(); slot++) {
            sit(sequences.get(slot), slot);
        }
    }

    private static Tensor sideBySide(List<SequenceCache> sequences, int layer, Function<LayerCache, Tensor> buffer) {
        List<Tensor> buffers = new ArrayList<>(sequences.stream()
                .map(sequence -> buffer.apply(sequence.layers().get(layer)))
                .toList());
        int free = SLOTS - sequences.size();
        if (free > 0) {
            Tensor first = buffers.getFirst();
            buffers.add(Ops.zeros(first.dtype(), free, first.dim(1), first.dim(2), first.dim(3)));
        }
        return Ops.concatenate(0, buffers.toArray(Tensor[]::new)).keep();
    }

    private void sit(SequenceCache sequence, int slot) {
        members[slot] = sequence;
        lengths[slot] = sequence.length();
        count++;
        sequence.moveInto(this, slot);
    }

    /** A sequence moves into a free slot. */
    void join(SequenceCache sequence) {
        int slot = Arrays.asList(members).indexOf(null);
        for (int layer = 0; layer < keys.length; layer++) {
            LayerCache own = sequence.layers().get(layer);
            keys[layer] = replace(keys[layer], put(keys[layer], own.keys(), slot));
            values[layer] = replace(values[layer], put(values[layer], own.values(), slot));
        }
        sit(sequence, slot);
    }

    private static Tensor put(Tensor arena, Tensor own, int slot) {
        return Ops.sliceUpdate(
                arena, own, new int[] {slot, 0, 0, 0}, new int[] {slot + 1, own.dim(1), own.dim(2), own.dim(3)});
    }

    private static Tensor replace(Tensor old, Tensor updated) {
        updated.keep();
        old.close();
        return updated;
    }

    /** The slot is free from now on; the last one to leave takes the buffers along. */
    void leave(int slot) {
        members[slot] = null;
        lengths[slot] = 0;
        count--;
        if (count == 0) {
            Arrays.stream(keys).forEach(Tensor::close);
            Arrays.stream(values).forEach(Tensor::close);
        }
    }

    /** Everybody moves back to buffers of their own. */
    void dissolve() {
        members().forEach(SequenceCache::moveOut);
    }

    /** Who has filled a slot moves back to buffers of its own, whether it decodes or not: there is no spare position. */
    void dismissOutgrown() {
        members().stream().filter(member -> member.length() == CAPACITY).forEach(SequenceCache::moveOut);
    }

    /** What is in the buffers can no longer be trusted: its members lose all they hold. */
    void lose() {
        members().forEach(SequenceCache::lose);
    }

    private List<SequenceCache> members() {
        List<SequenceCache> all = new ArrayList<>(count);
        for (SequenceCache member : members) {
            if (member != null) {
                all.add(member);
            }
        }
        return all;
    }

    /** Slots taken. */
    int count() {
        return count;
    }

    int length(int slot) {
        return lengths[slot];
    }

    /** The first positions of a slot, a view. */
    KeysValues view(int layer, int slot, int positions) {
        return new KeysValues(
                view(keys[layer], slot, slot + 1, positions), view(values[layer], slot, slot + 1, positions));
    }

    private static Tensor view(Tensor buffer, int fromSlot, int toSlot, int positions) {
        return Ops.slice(
                buffer, new int[] {fromSlot, 0, 0, 0}, new int[] {toSlot, buffer.dim(1), positions, buffer.dim(3)});
    }

    /**
     * The slot's sequence gets a position, which {@link #append} has yet to fill in each layer.
     *
     * @return which one
     */
    public int extend(int slot) {
        return lengths[slot]++;
    }

    /** Where a position may be written that nobody reads: behind what the slot holds. */
    public int spare(int slot) {
        return lengths[slot];
    }

    /**
     * Writes one position of each slot.
     *
     * @param newKeys {@code [slots, kvHeads, 1, headDim]}, of free slots and those that do not decode anything finite;
     *     {@code newValues} likewise
     * @param at {@code [slots, 1, 1, 1]} the position
     * @param end how many positions of the result
     * @return the first positions of all slots
     */
    public KeysValues append(int layer, Tensor newKeys, Tensor newValues, Tensor at, int end) {
        keys[layer] = replace(keys[layer], Ops.putAlong(keys[layer], at, newKeys, 2));
        values[layer] = replace(values[layer], Ops.putAlong(values[layer], at, newValues, 2));
        return new KeysValues(view(keys[layer], 0, SLOTS, end), view(values[layer], 0, SLOTS, end));
    }
}
