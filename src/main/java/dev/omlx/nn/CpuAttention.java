package dev.omlx.nn;

import dev.omlx.kv.tensor.KeysValues;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.nn.Attention.Heads;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code softmax(q·kᵀ·scale + mask)·v} for the CPU, with softmax's exponentials by {@link Exp2}. The queries of a group of
 * heads stand as the rows of one matrix, so that keys and values are read once a group. A chunk is taken in pieces whose
 * scores stay in a core's cache while some twenty operations go over them, and each piece of it sees no more than the
 * positions up to its end.
 */
public final class CpuAttention {
    /** So few scores that starting the operations takes longer than the exponentials do. */
    private static final int FEW = 16 * 1024;

    /** Scores of a piece: half a megabyte. */
    private static final int PIECE = 128 * 1024;

    /** Queries of a piece at least, where there are as many, so that its products read keys and values seldom. */
    private static final int LEAST_QUERIES = 32;

    /** Tensors as large as a piece's scores that exist at once, those of a second piece included. */
    private static final int PIECE_TENSORS = 16;

    private CpuAttention() {}

    /**
     * The most that scores and what becomes of them take, measured.
     *
     * @param heads of the queries
     * @param scored positions that queries are scored against, summed over the queries
     * @param longest positions of the longest sequence
     */
    public static long bytes(int heads, long scored, int longest) {
        long piece = Math.min(heads * scored, Math.max(PIECE, (long) LEAST_QUERIES * longest));
        long masks = 2 * scored;
        return (PIECE_TENSORS * piece + masks) * Float.BYTES;
    }

    /** Whether it is the faster way for chunks of that many scores. */
    static boolean pays(Tensor queries, long scores) {
        return Exp2.pays(queries, scores, FEW);
    }

    /**
     * All queries see the same positions, but for a mask.
     *
     * @param queries {@code [batch, kvHeads, length, dim]}, scaled
     * @param mask added to the scores, {@code [batch, 1, 1, positions]}
     * @return {@code [batch, kvHeads, length, dim]}
     */
    static Tensor apply(Tensor queries, KeysValues seen, @Nullable Tensor mask) {
        boolean many = pays(
                queries, (long) queries.size() / queries.dim(3) * seen.keys().dim(2));
        Tensor products = many ? scores(queries, seen.keys()) : product(queries, seen.keys());
        Tensor scores = mask == null ? products : Ops.add(products, Ops.astype(mask, products.dtype()));
        return many ? weighted(scores, seen.values()) : Ops.matmul(Ops.softmax(scores), seen.values());
    }

    /**
     * A chunk of one sequence.
     *
     * @param queries {@code [1, heads, length, dim]}, scaled
     * @param seen the chunk's own positions are the last ones
     * @param masks gives what is added to scores
     * @return {@code [1, heads, length, dim]}
     */
    static Tensor causal(Tensor queries, KeysValues seen, Heads heads, int window, Function<CausalMask, Tensor> masks) {
        int length = queries.dim(2);
        int before = seen.keys().dim(2) - length;
        Piece piece = Piece.of(heads, length, before + length);
        List<Tensor> blocks = new ArrayList<>();
        for (int start = 0; start < length; start += piece.queries) {
            int end = Math.min(length, start + piece.queries);
            Tensor mask = masks.apply(new CausalMask(end - start, before + start, window));
            Tensor rows = Ops.slice(queries, 2, start, end);
            KeysValues visible = seen.first(before + end);
            List<Tensor> parts = new ArrayList<>();
            for (int head = 0; head < heads.queries(); head += piece.heads) {
                parts.add(piece.attend(rows, head, visible, heads, mask));
            }
            blocks.add(join(1, parts));
        }
        return join(2, blocks);
    }

    private static Tensor join(int axis, List<Tensor> parts) {
        return parts.size() == 1 ? parts.getFirst() : Ops.concatenate(axis, parts.toArray(Tensor[]::new));
    }

    private static Tensor product(Tensor queries, Tensor keys) {
        return Ops.matmul(queries, Ops.transpose(keys, 0, 1, 3, 2));
    }

    /** As {@link Exp2} wants them. */
    private static Tensor scores(Tensor queries, Tensor keys) {
        return product(Ops.multiply(queries, Exp2.LOG2_E), keys);
    }

    private static Tensor weighted(Tensor scores, Tensor values) {
        Tensor powers = Exp2.nonPositive(Ops.subtract(scores, Ops.max(scores)));
        return Ops.divide(Ops.matmul(powers, values), Ops.sum(powers));
    }

    /**
     * What is attended at a time.
     *
     * @param heads all, those of a group, or one
     * @param queries of the chunk
     */
    private record Piece(int heads, int queries) {
        static Piece of(Heads heads, int length, int positions) {
            int least = Math.min(length, LEAST_QUERIES);
            int room = Math.max(1, PIECE / (least * positions));
            int group = heads.queries() / heads.keys();
            int together = room >= heads.queries() ? heads.queries() : room >= group ? group : 1;
            return new Piece(together, Math.max(least, PIECE / (together * positions)));
        }

        /** @return {@code [1, this.heads, length, dim]} */
        Tensor attend(Tensor rows, int head, KeysValues visible, Heads all, Tensor mask) {
            int length = rows.dim(2);
            int group = all.queries() / all.keys();
            int firstKey = head / group;
            int keys = Math.max(1, heads / group);
            Tensor queries =
                    Ops.reshape(Ops.slice(rows, 1, head, head + heads), 1, keys, heads / keys * length, all.dim());
            Tensor scores = scores(queries, Ops.slice(visible.keys(), 1, firstKey, firstKey + keys));
            int positions = scores.dim(3);
            Tensor masked = Ops.reshape(
                    Ops.add(Ops.reshape(scores, 1, heads, length, positions), mask),
                    1,
                    keys,
                    heads / keys * length,
                    positions);
            Tensor attended = weighted(masked, Ops.slice(visible.values(), 1, firstKey, firstKey + keys));
            return Ops.reshape(attended, 1, heads, length, attended.dim(3));
        }
    }
}
