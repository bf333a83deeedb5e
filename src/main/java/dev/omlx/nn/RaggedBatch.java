package dev.omlx.nn;

import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.kv.tensor.SlotArena;
import dev.omlx.kv.tensor.SlotArenas;
import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All tokens of one step, those of a sequence side by side: rows that decode have one, prefill chunks have many. No
 * padding; only attention looks at which row belongs to which sequence. Borrows from the step's scope, the innermost one when
 * it is made.
 */
public final class RaggedBatch {
    private final Tensor tokens;
    private final Tensor positions;
    private final List<Segment> segments;
    private final List<ArenaRows> arenas;
    private final @Nullable Tensor places;
    private final TensorScope scope = TensorScope.innermost();
    private final Map<Rope, Rope.Rotation> rotations = new HashMap<>();
    private final Map<CausalMask, Tensor> allowed = new HashMap<>();

    /**
     * Sequences that attend by themselves.
     *
     * @param tokens {@code [T]} ids
     * @param positions {@code [T]} int32, each token's place in its sequence
     * @param segments together covering all T rows
     */
    public RaggedBatch(Tensor tokens, Tensor positions, List<Segment> segments) {
        this(tokens, positions, segments, List.of());
    }

    private RaggedBatch(Tensor tokens, Tensor positions, List<Segment> segments, List<ArenaRows> arenas) {
        this.tokens = tokens;
        this.positions = positions;
        this.segments = List.copyOf(segments);
        this.arenas = List.copyOf(arenas);
        places = places(positions.dim(0), segments, arenas);
    }

    /**
     * Sequences of which short ones that decode attend together, side by side in an arena.
     *
     * @param tokens {@code [T]} ids
     * @param positions {@code [T]} int32, each token's place in its sequence
     * @param segments together covering all T rows
     */
    public static RaggedBatch arranged(Tensor tokens, Tensor positions, List<Segment> segments, SlotArenas arenas) {
        arenas.arrange(segments.stream()
                .filter(segment -> segment.length == 1)
                .map(Segment::cache)
                .toList());
        List<Segment> alone = new ArrayList<>();
        Map<SlotArena, int[]> together = new LinkedHashMap<>();
        for (Segment segment : segments) {
            SlotArena arena = segment.length == 1 ? segment.cache.arena() : null;
            if (arena == null) {
                segment.cache.moveOut();
                alone.add(segment);
            } else {
                together.computeIfAbsent(arena, any -> ArenaRows.none())[segment.cache.slot()] = segment.start;
            }
        }
        List<ArenaRows> rows = together.entrySet().stream()
                .map(entry -> new ArenaRows(entry.getKey(), entry.getValue()))
                .toList();
        return new RaggedBatch(tokens, positions, alone, rows);
    }

    /** {@code [T]} ids. */
    public Tensor tokens() {
        return tokens;
    }

    public List<Segment> segments() {
        return segments;
    }

    List<ArenaRows> arenas() {
        return arenas;
    }

    /** The rotation of this step's rows, whose numbers have that type; all layers share it. */
    Rope.Rotation rotation(Rope rope, DType dtype) {
        return rotations.computeIfAbsent(rope, wanted -> scope.make(() -> wanted.at(positions, dtype)));
    }

    /** The mask, which all layers share. */
    Tensor allowed(CausalMask mask) {
        return allowed.computeIfAbsent(mask, wanted -> scope.make(wanted::allowed));
    }

    /**
     * Where each row stands once the segments' rows and the arenas' slots are put in a line; null if that is where it
     * was.
     */
    private static @Nullable Tensor places(int rows, List<Segment> segments, List<ArenaRows> arenas) {
        int[] places = new int[rows];
        int next = 0;
        for (Segment segment : segments) {
            for (int i = 0; i < segment.length; i++) {
                places[segment.start + i] = next++;
            }
        }
        for (ArenaRows arena : arenas) {
            for (int slot = 0; slot < arena.slots(); slot++) {
                if (arena.row(slot) >= 0) {
                    places[arena.row(slot)] = next;
                }
                next++;
            }
        }
        boolean inPlace = next == rows;
        for (int row = 0; row < rows; row++) {
            inPlace &= places[row] == row;
        }
        return inPlace ? null : Tensor.of(places, rows);
    }

    /** The parts that attention gave for the segments and then the arenas, {@code [rows or slots, ..]}, as {@code [T, ..]}. */
    Tensor assemble(Tensor... parts) {
        Tensor line = parts.length == 1 ? parts[0] : Ops.concatenate(0, parts);
        return places == null ? line : Ops.take(line, places, 0);
    }

    /**
     * The rows of one sequence.
     *
     * @param start its first row
     * @param length its number of rows
     * @param cache where its keys and values stand and the new ones go
     */
    public record Segment(int start, int length, SequenceCache cache) {}
}
