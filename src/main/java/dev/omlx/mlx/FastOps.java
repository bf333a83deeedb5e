package dev.omlx.mlx;

import dev.omlx.ffi.Downcall;
import dev.omlx.ffi.gen.MlxFast;
import org.jspecify.annotations.Nullable;

/** Fused operations of MLX that models live on. Results belong to the innermost {@link TensorScope}. */
public final class FastOps {
    private FastOps() {}

    /** What a query may look at. */
    public sealed interface Mask {
        Mask NONE = new Everything();
        Mask CAUSAL = new Causal();

        /** All positions. */
        record Everything() implements Mask {}

        /** The last query sees all positions, each earlier one sees one less. */
        record Causal() implements Mask {}

        /**
         * Positions by query.
         *
         * @param allowed true where a query may look; broadcasts to {@code [batch, heads, queries, positions]}
         */
        @SuppressWarnings("AvoidCommonTypeNames") // always written Mask.Boolean
        record Boolean(Tensor allowed) implements Mask {}
    }

    /** {@code x / rms(x) · weight} over the last dimension. */
    public static Tensor rmsNorm(Tensor x, Tensor weight, float epsilon) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxFast.mlx_fast_rms_norm(t.out(), x.handle(t), weight.handle(t), epsilon, t.stream()), "rms_norm");
    }

    /**
     * Rotates.
     *
     * @param x {@code [batch, heads, length, dim]}
     * @param offsets {@code [batch]}, the position of each one's first row
     * @param wavelengths {@code [dimensions/2]}, replaces {@code base} where given
     */
    public static Tensor rope(
            Tensor x,
            int dimensions,
            boolean interleaved,
            float base,
            float scale,
            Tensor offsets,
            @Nullable Tensor wavelengths) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxFast.mlx_fast_rope_dynamic(
                        t.out(),
                        x.handle(t),
                        dimensions,
                        interleaved,
                        wavelengths == null ? Downcall.optional(base) : Downcall.absent(),
                        scale,
                        offsets.handle(t),
                        t.handle(wavelengths),
                        t.stream()),
                "rope");
    }

    /**
     * {@code softmax(q·kᵀ·scale + mask)·v}.
     *
     * @param queries {@code [batch, heads, length, dim]}
     * @param keys {@code [batch, kvHeads, positions, dim]}; values likewise
     */
    public static Tensor attention(Tensor queries, Tensor keys, Tensor values, float scale, Mask mask) {
        MlxThread t = MlxThread.current();
        String mode = switch (mask) {
            case Mask.Everything everything -> "";
            case Mask.Causal causal -> "causal";
            case Mask.Boolean array -> "array";
        };
        Tensor allowed = mask instanceof Mask.Boolean array ? array.allowed() : null;
        return t.result(
                MlxFast.mlx_fast_scaled_dot_product_attention(
                        t.out(),
                        queries.handle(t),
                        keys.handle(t),
                        values.handle(t),
                        scale,
                        t.text(mode),
                        t.handle(allowed),
                        0L,
                        false,
                        t.stream()),
                "scaled_dot_product_attention");
    }
}
