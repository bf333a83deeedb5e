package dev.omlx.nn;

import dev.omlx.kv.tensor.KeysValues;
import dev.omlx.kv.tensor.LayerCache;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.FastOps.Mask;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Causal grouped-query attention (arXiv:2305.13245) over a ragged batch: projections, norms and RoPE run on all rows
 * together, the attention itself on each sequence alone.
 *
 * @param queryNorm on each head of the queries before RoPE, where the architecture has one; likewise {@code keyNorm}
 * @param window how many positions a token sees, itself included; 0 means all
 */
public record Attention(
        Linear query,
        Linear key,
        Linear value,
        Linear output,
        @Nullable RmsNorm queryNorm,
        @Nullable RmsNorm keyNorm,
        Rope rope,
        Heads heads,
        int window) {

    /**
     * The heads' sizes.
     *
     * @param queries number of query heads
     * @param keys number of key and value heads, a divisor of {@code queries}
     * @param dim size of a head
     * @param scale what scores are multiplied with, usually 1/√dim
     */
    public record Heads(int queries, int keys, int dim, float scale) {}

    /**
     * Appends the step's keys and values to the caches and attends to all that is there.
     *
     * @param x {@code [T, hidden]}
     * @param layer which of the caches' layers is this one's
     * @return {@code [T, hidden]}
     */
    public Tensor apply(Tensor x, RaggedBatch batch, int layer) {
        Rope.Rotation rotation = batch.rotation(rope);
        Tensor queries = rotation.apply(split(query.apply(x), heads.queries, queryNorm));
        Tensor keys = rotation.apply(split(key.apply(x), heads.keys, keyNorm));
        Tensor values = split(value.apply(x), heads.keys, null);
        List<Tensor> attended = new ArrayList<>();
        for (RaggedBatch.Segment segment : batch.segments()) {
            attended.add(attend(
                    rows(queries, segment),
                    rows(keys, segment),
                    rows(values, segment),
                    segment.cache().layer(layer)));
        }
        for (ArenaRows arena : batch.arenas()) {
            KeysValues seen = arena.append(layer, arena.select(keys), arena.select(values));
            attended.add(decode(arena.select(queries), seen, arena.mask(window)));
        }
        Tensor all = batch.assemble(attended.toArray(Tensor[]::new));
        return output.apply(Ops.reshape(all, x.dim(0), heads.queries * heads.dim));
    }

    /** {@code [T, heads·dim] → [T, heads, 1, dim]}: each row a sequence of length one, so that RoPE takes a position a row. */
    private Tensor split(Tensor projected, int count, @Nullable RmsNorm norm) {
        Tensor split = Ops.reshape(projected, projected.dim(0), count, 1, heads.dim);
        return norm == null ? split : norm.apply(split);
    }

    /** {@code [T, heads, 1, dim] → [1, heads, length, dim]} */
    private static Tensor rows(Tensor all, RaggedBatch.Segment segment) {
        Tensor own = segment.length() == all.dim(0)
                ? all
                : Ops.slice(all, 0, segment.start(), segment.start() + segment.length());
        return segment.length() == 1 ? own : Ops.transpose(own, 2, 1, 0, 3);
    }

    private Tensor attend(Tensor queries, Tensor keys, Tensor values, LayerCache cache) {
        int length = queries.dim(2);
        int position = cache.length();
        int from = window == 0 ? 0 : Math.max(0, position - window + 1);
        KeysValues seen = cache.append(keys, values, from);
        if (length == 1) {
            return decode(queries, seen, Mask.NONE);
        }
        Tensor attended =
                FastOps.attention(queries, seen.keys(), seen.values(), heads.scale, mask(length, position - from));
        return Ops.transpose(attended, 2, 1, 0, 3);
    }

    /**
     * All queries of a row see the same positions, so that those of a group of heads may stand as the rows of one matrix.
     * On the CPU, where MLX's attention knows no groups, keys and values are then read once and not once a head.
     */
    private Tensor decode(Tensor queries, KeysValues seen, Mask mask) {
        int rows = queries.dim(0);
        Tensor grouped = Mlx.device() == Device.CPU
                ? Ops.reshape(queries, rows, heads.keys, heads.queries / heads.keys, heads.dim)
                : queries;
        Tensor attended = FastOps.attention(grouped, seen.keys(), seen.values(), heads.scale, mask);
        return Ops.reshape(attended, rows, heads.queries, 1, heads.dim);
    }

    /** @param before how many positions of the cache the chunk sees before its own */
    private Mask mask(int length, int before) {
        if (window == 0 || before + length <= window) {
            return Mask.CAUSAL;
        }
        return new Mask.Boolean(windowMask(length, before));
    }

    /** {@code [length, before+length]}: true where a row may look. */
    private Tensor windowMask(int length, int before) {
        Tensor row = Ops.arange(before, before + length);
        Tensor column = Ops.arange(0, before + length);
        Tensor distance = Ops.subtract(Ops.reshape(row, length, 1), Ops.reshape(column, 1, before + length));
        Tensor zero = Tensor.scalar(0, distance.dtype());
        Tensor limit = Tensor.scalar(window, distance.dtype());
        return Ops.logicalAnd(Ops.greaterEqual(distance, zero), Ops.less(distance, limit));
    }
}
