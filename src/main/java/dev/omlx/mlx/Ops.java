package dev.omlx.mlx;

import dev.omlx.ffi.Downcall;
import dev.omlx.ffi.gen.MlxOps;
import dev.omlx.ffi.gen.MlxVector;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Operations on tensors. Each adds a node to the lazy graph and returns it as a tensor of the innermost
 * {@link TensorScope}; shapes broadcast as in NumPy. A call that MLX refuses throws its
 * {@link dev.omlx.ffi.MlxException}.
 */
public final class Ops {
    private Ops() {}

    private interface Unary {
        int call(long result, long a, long stream);
    }

    private interface Binary {
        int call(long result, long a, long b, long stream);
    }

    private static Tensor unary(Unary operation, Tensor a, String name) {
        MlxThread t = MlxThread.current();
        return t.result(operation.call(t.out(), a.handle(t), t.stream()), name);
    }

    private static Tensor binary(Binary operation, Tensor a, Tensor b, String name) {
        MlxThread t = MlxThread.current();
        return t.result(operation.call(t.out(), a.handle(t), b.handle(t), t.stream()), name);
    }

    // --- making

    /** {@code from, from+1, … to-1} as int32. */
    public static Tensor arange(int from, int to) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_arange(t.out(), from, to, 1, DType.INT32.code(), t.stream()), "arange");
    }

    public static Tensor zeros(DType dtype, int... shape) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_zeros(t.out(), t.ints(shape), shape.length, dtype.code(), t.stream()), "zeros");
    }

    public static Tensor full(double value, DType dtype, int... shape) {
        MlxThread t = MlxThread.current();
        Tensor scalar = Tensor.scalar(value, dtype);
        return t.result(
                MlxOps.mlx_full(t.out(), t.ints(shape), shape.length, scalar.handle(t), dtype.code(), t.stream()),
                "full");
    }

    // --- elements

    public static Tensor add(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_add, a, b, "add");
    }

    public static Tensor subtract(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_subtract, a, b, "subtract");
    }

    public static Tensor multiply(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_multiply, a, b, "multiply");
    }

    /** The scalar takes the tensor's type. */
    public static Tensor multiply(Tensor a, double b) {
        return multiply(a, Tensor.scalar(b, a.dtype()));
    }

    public static Tensor divide(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_divide, a, b, "divide");
    }

    public static Tensor negative(Tensor a) {
        return unary(MlxOps::mlx_negative, a, "negative");
    }

    public static Tensor cos(Tensor a) {
        return unary(MlxOps::mlx_cos, a, "cos");
    }

    public static Tensor sin(Tensor a) {
        return unary(MlxOps::mlx_sin, a, "sin");
    }

    public static Tensor sigmoid(Tensor a) {
        return unary(MlxOps::mlx_sigmoid, a, "sigmoid");
    }

    /** Converts; gives the tensor itself where it has that type already. */
    public static Tensor astype(Tensor a, DType dtype) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_astype(t.out(), a.handle(t), dtype.code(), t.stream()), "astype");
    }

    // --- comparing and choosing

    public static Tensor less(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_less, a, b, "less");
    }

    public static Tensor greater(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_greater, a, b, "greater");
    }

    public static Tensor greaterEqual(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_greater_equal, a, b, "greater_equal");
    }

    public static Tensor logicalAnd(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_logical_and, a, b, "logical_and");
    }

    public static Tensor where(Tensor condition, Tensor then, Tensor otherwise) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxOps.mlx_where(t.out(), condition.handle(t), then.handle(t), otherwise.handle(t), t.stream()),
                "where");
    }

    // --- reducing and ordering along the last axis

    /** Index of the largest element, uint32; the first one where several are equal. */
    public static Tensor argmax(Tensor a) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_argmax_axis(t.out(), a.handle(t), -1, false, t.stream()), "argmax");
    }

    /** Over the last axis, which stays as 1. */
    public static Tensor sum(Tensor a) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_sum_axis(t.out(), a.handle(t), -1, true, t.stream()), "sum");
    }

    public static Tensor max(Tensor a) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_max_axis(t.out(), a.handle(t), -1, true, t.stream()), "max");
    }

    public static Tensor softmax(Tensor a) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_softmax_axis(t.out(), a.handle(t), -1, true, t.stream()), "softmax");
    }

    public static Tensor logsumexp(Tensor a) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_logsumexp_axis(t.out(), a.handle(t), -1, true, t.stream()), "logsumexp");
    }

    public static Tensor cumsum(Tensor a) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxOps.mlx_cumsum_axis(t.out(), a.handle(t), -1, false, true, Downcall.absent(), t.stream()), "cumsum");
    }

    /** Indices that sort ascending, uint32. */
    public static Tensor argsort(Tensor a) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_argsort_axis(t.out(), a.handle(t), -1, t.stream()), "argsort");
    }

    /** Indices so that those before the k-th (negative: from the end) are of smaller elements, uint32. */
    public static Tensor argpartition(Tensor a, int k) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_argpartition_axis(t.out(), a.handle(t), k, -1, t.stream()), "argpartition");
    }

    // --- shape

    public static Tensor reshape(Tensor a, int... shape) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_reshape(t.out(), a.handle(t), t.ints(shape), shape.length, t.stream()), "reshape");
    }

    /** Dimension i of the result is dimension {@code axes[i]} of the tensor. */
    public static Tensor transpose(Tensor a, int... axes) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxOps.mlx_transpose_axes(t.out(), a.handle(t), t.ints(axes), axes.length, t.stream()), "transpose");
    }

    /** Laid out row by row; the tensor itself where it is already. */
    public static Tensor contiguous(Tensor a) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_contiguous(t.out(), a.handle(t), false, t.stream()), "contiguous");
    }

    public static Tensor concatenate(int axis, Tensor... parts) {
        MlxThread t = MlxThread.current();
        long vector = MlxVector.mlx_vector_array_new_data(t.handles(parts), parts.length);
        try {
            return t.result(MlxOps.mlx_concatenate_axis(t.out(), vector, axis, t.stream()), "concatenate");
        } finally {
            MlxVector.mlx_vector_array_free(vector);
        }
    }

    /** A view of {@code start ≤ index < stop} in each dimension. */
    public static Tensor slice(Tensor a, int[] start, int[] stop) {
        MlxThread t = MlxThread.current();
        int rank = start.length;
        return t.result(
                MlxOps.mlx_slice(
                        t.out(),
                        a.handle(t),
                        t.ints(start),
                        rank,
                        t.ints(stop),
                        rank,
                        t.ints(ones(rank)),
                        rank,
                        t.stream()),
                "slice");
    }

    /** A view of {@code start ≤ index < stop} along one axis. */
    public static Tensor slice(Tensor a, int axis, int start, int stop) {
        int[] from = new int[a.rank()];
        int[] to = a.shape();
        from[axis] = start;
        to[axis] = stop;
        return slice(a, from, to);
    }

    /**
     * The target with that part replaced. MLX writes in place where nothing else refers to the target: close the
     * target before the result is computed.
     */
    public static Tensor sliceUpdate(Tensor target, Tensor update, int[] start, int[] stop) {
        MlxThread t = MlxThread.current();
        int rank = start.length;
        return t.result(
                MlxOps.mlx_slice_update(
                        t.out(),
                        target.handle(t),
                        update.handle(t),
                        t.ints(start),
                        rank,
                        t.ints(stop),
                        rank,
                        t.ints(ones(rank)),
                        rank,
                        t.stream()),
                "slice_update");
    }

    private static int[] ones(int count) {
        int[] ones = new int[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    // --- gathering and scattering

    /** The slices of an axis at these indices. */
    public static Tensor take(Tensor a, Tensor indices, int axis) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_take_axis(t.out(), a.handle(t), indices.handle(t), axis, t.stream()), "take");
    }

    /** Along the last axis, the element at each index; all other dimensions are equal or broadcast. */
    public static Tensor takeAlong(Tensor a, Tensor indices) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxOps.mlx_take_along_axis(t.out(), a.handle(t), indices.handle(t), -1, t.stream()), "take_along_axis");
    }

    /** Along an axis, the tensor with the elements at these indices replaced; in place as {@link #sliceUpdate} is. */
    public static Tensor putAlong(Tensor a, Tensor indices, Tensor values, int axis) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxOps.mlx_put_along_axis(t.out(), a.handle(t), indices.handle(t), values.handle(t), axis, t.stream()),
                "put_along_axis");
    }

    // --- matrices

    public static Tensor matmul(Tensor a, Tensor b) {
        return binary(MlxOps::mlx_matmul, a, b, "matmul");
    }

    /** {@code c + a·b}. */
    public static Tensor addmm(Tensor c, Tensor a, Tensor b) {
        MlxThread t = MlxThread.current();
        return t.result(MlxOps.mlx_addmm(t.out(), c.handle(t), a.handle(t), b.handle(t), 1, 1, t.stream()), "addmm");
    }

    /** {@code x · wᵀ} with packed weights; {@code zeros} only in the affine mode. */
    public static Tensor quantizedMatmul(
            Tensor x, Tensor w, Tensor scales, @Nullable Tensor zeros, Quantization quantization) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxOps.mlx_quantized_matmul(
                        t.out(),
                        x.handle(t),
                        w.handle(t),
                        scales.handle(t),
                        t.handle(zeros),
                        true,
                        Downcall.optional(quantization.groupSize()),
                        Downcall.optional(quantization.bits()),
                        t.text(quantization.mode().wireName()),
                        t.stream()),
                "quantized_matmul");
    }

    /** The weights as numbers of that type; {@code zeros} only in the affine mode. */
    public static Tensor dequantize(
            Tensor w, Tensor scales, @Nullable Tensor zeros, Quantization quantization, DType dtype) {
        MlxThread t = MlxThread.current();
        return t.result(
                MlxOps.mlx_dequantize(
                        t.out(),
                        w.handle(t),
                        scales.handle(t),
                        t.handle(zeros),
                        Downcall.optional(quantization.groupSize()),
                        Downcall.optional(quantization.bits()),
                        t.text(quantization.mode().wireName()),
                        0L,
                        Downcall.optional(dtype.code()),
                        t.stream()),
                "dequantize");
    }
}
