package dev.omlx.nn;

import dev.omlx.kv.tensor.KeysValues;
import dev.omlx.kv.tensor.LayerCache;
import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.FastOps.Mask;
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
        Rope.Rotation rotation = batch.rotation(rope, x.dtype());
        Tensor queries = rotation.apply(split(query.apply(x), heads.queries, queryNorm));
        Tensor keys = rotation.apply(split(key.apply(x), heads.keys, keyNorm));
        Tensor values = split(value.apply(x), heads.keys, null);
        List<Tensor> attended = new ArrayList<>();
        for (RaggedBatch.Segment segment : batch.segments()) {
            attended.add(attend(
                    batch,
                    rows(queries, segment),
                    rows(keys, segment),
                    rows(values, segment),
                    segment.cache().layer(layer)));
        }
        for (ArenaRows arena : batch.arenas()) {
            KeysValues seen = arena.append(layer, arena.select(keys), arena.select(values));
            attended.add(decode(arena.select(queries), seen, arena));
        }
        Tensor all = batch.assemble(attended.toArray(Tensor[]::new));
        return output.apply(all);
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

    private Tensor attend(RaggedBatch batch, Tensor queries, Tensor keys, Tensor values, LayerCache cache) {
        int length = queries.dim(2);
        int position = cache.length();
        int from = window == 0 ? 0 : Math.max(0, position - window + 1);
        KeysValues seen = cache.append(keys, values, from);
        int positions = seen.keys().dim(2);
        if (fused(queries)) {
            return fused(queries, seen, positions);
        }
        CausalMask mask = new CausalMask(length, positions - length, window);
        Mask visible = length == 1 ? Mask.NONE : mask.narrow() ? new Mask.Boolean(batch.allowed(mask)) : Mask.CAUSAL;
        Tensor attended = FastOps.attention(queries, seen.keys(), seen.values(), heads.scale(), visible);
        return joined(length == 1 ? attended : Ops.transpose(attended, 2, 1, 0, 3));
    }

    private Tensor decode(Tensor queries, KeysValues seen, ArenaRows arena) {
        if (fused(queries)) {
            return fused(queries, seen, arena.ends());
        }
        Tensor allowed = arena.allowed(window);
        Mask mask = allowed == null ? Mask.NONE : new Mask.Boolean(allowed);
        return joined(FastOps.attention(queries, seen.keys(), seen.values(), heads.scale(), mask));
    }

    /** {@code [rows, .., dim] → [rows, heads·dim]} */
    private Tensor joined(Tensor attended) {
        return Ops.reshape(attended, attended.dim(0), heads.queries * heads.dim);
    }

    private static boolean fused(Tensor queries) {
        return FastOps.hasOwnKernels(queries.dtype());
    }

    private Tensor fused(Tensor queries, KeysValues seen, int... ends) {
        return FastOps.causalAttention(queries, seen.keys(), seen.values(), ends, window, heads.scale());
    }
}
