package dev.omlx.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Operations of our own for MLX's CPU back end on Linux ({@code native-lib/ops/omlx_ops.h} says what they do), in the
 * manner of mlx-c: they return 0, or another number once the error handler has been told.
 */
public final class CpuKernels {
    private static final MemoryLayout POINTER = ValueLayout.JAVA_LONG;
    private static final MemoryLayout SIZE = ValueLayout.JAVA_LONG;
    private static final MemoryLayout INT = ValueLayout.JAVA_INT;
    private static final MemoryLayout FLOAT = ValueLayout.JAVA_FLOAT;
    private static final MemoryLayout BOOL = ValueLayout.JAVA_BOOLEAN;

    private final MethodHandle attention;
    private final MethodHandle rmsNorm;
    private final MethodHandle siluProduct;
    private final MethodHandle rope;

    CpuKernels(DynamicLoader loader, MemorySegment library) {
        attention = handle(
                loader,
                library,
                "omlx_attention",
                POINTER,
                POINTER,
                POINTER,
                POINTER,
                POINTER,
                SIZE,
                INT,
                FLOAT,
                POINTER);
        rmsNorm = handle(loader, library, "omlx_rms_norm", POINTER, POINTER, POINTER, FLOAT, POINTER);
        siluProduct = handle(loader, library, "omlx_silu_product", POINTER, POINTER, POINTER, POINTER);
        rope = handle(loader, library, "omlx_rope", POINTER, POINTER, POINTER, POINTER, BOOL, POINTER);
    }

    /**
     * {@code (res: mlx_array*, queries: mlx_array, keys: mlx_array, values: mlx_array, ends: int*, ends_num: size_t,
     * window: int, scale: float, s: mlx_stream) int}
     */
    public int attention(
            long res, long queries, long keys, long values, long ends, long endsNum, int window, float scale, long s) {
        try {
            return (int) attention.invokeExact(res, queries, keys, values, ends, endsNum, window, scale, s);
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /** {@code (res: mlx_array*, x: mlx_array, weight: mlx_array, eps: float, s: mlx_stream) int} */
    public int rmsNorm(long res, long x, long weight, float eps, long s) {
        try {
            return (int) rmsNorm.invokeExact(res, x, weight, eps, s);
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /** {@code (res: mlx_array*, gate: mlx_array, up: mlx_array, s: mlx_stream) int} */
    public int siluProduct(long res, long gate, long up, long s) {
        try {
            return (int) siluProduct.invokeExact(res, gate, up, s);
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /**
     * {@code (res: mlx_array*, x: mlx_array, cosines: mlx_array, sines: mlx_array, interleaved: bool, s: mlx_stream)
     * int}
     */
    public int rope(long res, long x, long cosines, long sines, boolean interleaved, long s) {
        try {
            return (int) rope.invokeExact(res, x, cosines, sines, interleaved, s);
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(
            DynamicLoader loader, MemorySegment library, String name, MemoryLayout... parameters) {
        return Downcall.LINKER.downcallHandle(
                loader.find(library, name), FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }
}
