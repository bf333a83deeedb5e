package dev.omlx.nn;

import dev.omlx.kv.tensor.KeysValues;
import dev.omlx.kv.tensor.SlotArena;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The rows of a step that decode in one arena: one row of the batch a slot, or none. Borrows from the step's scope. */
final class ArenaRows {
    private final SlotArena arena;
    private final int[] rows;
    private final int[] positions;
    private final int[] ends;
    private final int end;
    private final boolean inRow;
    private final Tensor rowOfSlot;
    private final Tensor at;
    private final TensorScope scope = TensorScope.innermost();
    private final Map<Integer, Optional<Tensor>> masks = new HashMap<>();

    /**
     * Gives each sequence that decodes its next position.
     *
     * @param rows of each slot the row of the batch, or -1 if the slot decodes nothing in this step
     */
    ArenaRows(SlotArena arena, int[] rows) {
        this.arena = arena;
        this.rows = rows.clone();
        positions = new int[rows.length];
        int[] from = new int[rows.length];
        int[] to = new int[rows.length];
        for (int slot = 0; slot < rows.length; slot++) {
            // a slot without a row gets some other row's keys where nobody reads them
            from[slot] = Math.max(0, rows[slot]);
            to[slot] = rows[slot] < 0 ? arena.spare(slot) : arena.extend(slot);
            positions[slot] = rows[slot] < 0 ? 0 : to[slot];
        }
        inRow = IntStream.range(0, rows.length).allMatch(slot -> rows[0] >= 0 && rows[slot] == rows[0] + slot);
        ends = Arrays.stream(positions).map(position -> position + 1).toArray();
        end = Arrays.stream(ends).max().orElseThrow();
        rowOfSlot = Tensor.of(from, from.length);
        at = Tensor.of(to, to.length, 1, 1, 1);
    }

    /** Of each slot the row it decodes: none yet. */
    static int[] none() {
        int[] rows = new int[SlotArena.SLOTS];
        Arrays.fill(rows, -1);
        return rows;
    }

    /** {@code [T, ..] → [slots, ..]} */
    Tensor select(Tensor all) {
        if (!inRow) {
            return Ops.take(all, rowOfSlot, 0);
        }
        return rows.length == all.dim(0) ? all : Ops.slice(all, 0, rows[0], rows[0] + rows.length);
    }

    /** Puts the new keys and values, {@code [slots, kvHeads, 1, headDim]}, in their places and returns all that is seen. */
    KeysValues append(int layer, Tensor keys, Tensor values) {
        return arena.append(layer, keys, values, at, end);
    }

    /**
     * What each slot's row sees of the positions up to the longest one's.
     *
     * @param window how many positions, its own included; 0 means all
     * @return {@code [slots, 1, 1, positions]}, or null for everything
     */
    @Nullable
    Tensor allowed(int window) {
        return masks.computeIfAbsent(window, any -> scope.make(() -> build(any)))
                .orElse(null);
    }

    /** Of each slot how many positions its row sees; not to be changed. */
    int[] ends() {
        return ends;
    }

    private Optional<Tensor> build(int window) {
        boolean[] allowed = new boolean[rows.length * end];
        boolean everything = true;
        for (int slot = 0; slot < rows.length; slot++) {
            int from = window == 0 ? 0 : Math.max(0, positions[slot] - window + 1);
            Arrays.fill(allowed, slot * end + from, slot * end + positions[slot] + 1, true);
            everything &= from == 0 && positions[slot] == end - 1;
        }
        return everything ? Optional.empty() : Optional.of(Ops.reshape(Tensor.of(allowed), rows.length, 1, 1, end));
    }

    /** The row of the batch that the slot decodes, or -1. */
    int row(int slot) {
        return rows[slot];
    }

    int slots() {
        return rows.length;
    }
}
