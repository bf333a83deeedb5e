package dev.omlx.mlx;

import dev.omlx.ffi.CpuKernels;
import dev.omlx.ffi.Downcall;
import dev.omlx.ffi.gen.MlxFast;
import org.jspecify.annotations.Nullable;

/**
 * Fused operations that models live on: MLX's, and on the CPU under Linux, where MLX has none, our own for float32.
 * Results belong to the innermost {@link TensorScope}.
 */
public final class FastOps {
    private FastOps() {}

    /** Whether there are kernels of our own for numbers of that type: {@link #causalAttention} and {@link #turn}. */
    public static boolean hasOwnKernels(DType dtype) {
        return kernels(dtype) != null;
    }

    private static @Nullable CpuKernels kernels(DType dtype) {
        return dtype == DType.FLOAT32 ? Mlx.cpuKernels() : null;
    }

    private static CpuKernels ownKernels() {
        CpuKernels kernels = Mlx.cpuKernels();
        if (kernels == null) {
            throw new IllegalStateException("there are no kernels of our own here");
        }
        return kernels;
    }

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
        CpuKernels own = kernels(x.dtype());
        int code = own == null
                ? MlxFast.mlx_fast_rms_norm(t.out(), x.handle(t), weight.handle(t), epsilon, t.stream())
                : own.rmsNorm(t.out(), x.handle(t), weight.handle(t), epsilon, t.stream());
        return t.result(code, "rms_norm");
    }

    /** {@code silu(gate) · up} with {@code silu(x) = x / (1 + exp(-x))}, of one shape and type. */
    public static Tensor siluProduct(Tensor gate, Tensor up) {
        CpuKernels own = kernels(gate.dtype());
        if (own == null) {
            return Ops.multiply(Ops.multiply(gate, Ops.sigmoid(gate)), up);
        }
        MlxThread t = MlxThread.current();
        return t.result(own.siluProduct(t.out(), gate.handle(t), up.handle(t), t.stream()), "silu_product");
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
     * Rotates by angles that are known.
     *
     * @param x {@code [rows, heads, 1, dim]}
     * @param cosines {@code [rows, pairs]}, of as many pairs as turn; sines likewise
     * @param interleaved neighbours are a pair, not those half a rotation apart
     * @throws IllegalStateException where there is none, see {@link #hasOwnKernels}
     */
    public static Tensor turn(Tensor x, Tensor cosines, Tensor sines, boolean interleaved) {
        CpuKernels own = ownKernels();
        MlxThread t = MlxThread.current();
        return t.result(
                own.rope(t.out(), x.handle(t), cosines.handle(t), sines.handle(t), interleaved, t.stream()), "turn");
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

    /**
     * {@code softmax(q·kᵀ·scale)·v} of float32, where each query sees one position more than the one before it; without
     * keeping scores.
     *
     * @param queries {@code [batch, heads, length, dim]}
     * @param keys {@code [batch, kvHeads, positions, dim]}; values likewise
     * @param ends {@code [batch]}, how many positions the last query of a sequence sees, from length to positions
     * @param window how many positions a query sees at most, its own included; 0 means all
     * @return {@code [batch·length, heads·dim]}
     * @throws IllegalStateException where there is none, see {@link #hasOwnKernels}
     * @throws dev.omlx.ffi.MlxException if shapes, types or ends do not fit
     */
    public static Tensor causalAttention(
            Tensor queries, Tensor keys, Tensor values, int[] ends, int window, float scale) {
        CpuKernels own = ownKernels();
        MlxThread t = MlxThread.current();
        return t.result(
                own.attention(
                        t.out(),
                        queries.handle(t),
                        keys.handle(t),
                        values.handle(t),
                        t.ints(ends),
                        ends.length,
                        window,
                        scale,
                        t.stream()),
                "causal_attention");
    }
}
