package dev.omlx.mlx;

import dev.omlx.ffi.NativeErrors;
import dev.omlx.ffi.gen.MlxArray;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * An MLX array: a node of a lazy graph, or its value. Belongs to the thread that made it, any other gets an exception.
 * Made by the {@code of…} methods or by operations, it belongs to the innermost {@link TensorScope} and is freed with
 * it; after {@link #keep()} it belongs to the caller, who closes it.
 */
public final class Tensor implements AutoCloseable {
    private static final LongAdder LIVE = new LongAdder();

    private final MlxThread thread;
    private long handle;
    private @Nullable TensorScope scope;
    private int @Nullable [] shape;
    private @Nullable DType dtype;

    Tensor(long handle, MlxThread thread, TensorScope scope) {
        this.handle = handle;
        this.thread = thread;
        this.scope = scope;
        scope.add(this);
        LIVE.increment();
    }

    /** Number of tensors not yet freed, over all threads. */
    public static long live() {
        return LIVE.sum();
    }

    /** A float32 tensor of that shape, its values copied in row-major order. */
    public static Tensor of(float[] values, int... shape) {
        return Host.copyIn(MemorySegment.ofArray(values), DType.FLOAT32, shape);
    }

    /** An int32 tensor of that shape, its values copied in row-major order. */
    public static Tensor of(int[] values, int... shape) {
        return Host.copyIn(MemorySegment.ofArray(values), DType.INT32, shape);
    }

    /** A one-dimensional boolean tensor. */
    public static Tensor of(boolean[] values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) (values[i] ? 1 : 0);
        }
        return Host.copyIn(MemorySegment.ofArray(bytes), DType.BOOL, values.length);
    }

    /** A tensor whose bytes are copied from that memory, which is little-endian and row-major. */
    public static Tensor of(MemorySegment data, DType dtype, int... shape) {
        return Host.copyIn(data, dtype, shape);
    }

    /** A tensor without dimensions, of that type. */
    public static Tensor scalar(double value, DType dtype) {
        return Host.scalar(value, dtype);
    }

    /** Size of each dimension. */
    public int[] shape() {
        return sizes().clone();
    }

    /** Size of one dimension; a negative one counts from the end. */
    public int dim(int axis) {
        int[] sizes = sizes();
        return sizes[axis < 0 ? sizes.length + axis : axis];
    }

    /** Number of dimensions. */
    public int rank() {
        return sizes().length;
    }

    /** Number of elements. */
    public long size() {
        return MlxArray.mlx_array_size(handle(MlxThread.current()));
    }

    /** Bytes of its elements. */
    public long byteSize() {
        return size() * dtype().bytes();
    }

    public DType dtype() {
        DType known = dtype;
        if (known == null) {
            known = DType.ofNative(MlxArray.mlx_array_dtype(handle(MlxThread.current())));
            dtype = known;
        }
        return known;
    }

    /** Computes it, and all it depends on, now. */
    public Tensor eval() {
        NativeErrors.check(MlxArray.mlx_array_eval(handle(MlxThread.current())), "eval");
        return this;
    }

    /** Whether it has been computed, so that reading it does not wait. */
    public boolean isReady() {
        return MlxThread.current().isAvailable(this);
    }

    /** Its elements as floats in row-major order; computes it first. */
    public float[] toFloats() {
        try (TensorScope temporary = TensorScope.open()) {
            return Host.data(Ops.astype(this, DType.FLOAT32)).toArray(ValueLayout.JAVA_FLOAT);
        }
    }

    /** Its elements as ints in row-major order; computes it first. */
    public int[] toInts() {
        try (TensorScope temporary = TensorScope.open()) {
            return Host.data(Ops.astype(this, DType.INT32)).toArray(ValueLayout.JAVA_INT);
        }
    }

    /** Takes it out of its scope: from now on the caller owns it and closes it. */
    public Tensor keep() {
        handle(MlxThread.current());
        scope = null;
        return this;
    }

    /** Frees it. A second call does nothing. */
    @Override
    public void close() {
        if (handle != 0) {
            long freed = handle(MlxThread.current());
            handle = 0;
            scope = null;
            MlxArray.mlx_array_free(freed);
            LIVE.decrement();
        }
    }

    void moveTo(TensorScope other) {
        scope = other;
        other.add(this);
    }

    void closeIfIn(TensorScope closing) {
        if (scope == closing) {
            close();
        }
    }

    long handle(MlxThread current) {
        if (current != thread) {
            throw new IllegalStateException("a tensor of thread " + thread.name() + " was used on thread "
                    + Thread.currentThread().getName());
        }
        if (handle == 0) {
            throw new IllegalStateException("the tensor is closed");
        }
        return handle;
    }

    private int[] sizes() {
        int[] known = shape;
        if (known == null) {
            long self = handle(MlxThread.current());
            int rank = (int) MlxArray.mlx_array_ndim(self);
            known = rank == 0
                    ? new int[0]
                    : MemorySegment.ofAddress(MlxArray.mlx_array_shape(self))
                            .reinterpret(4L * rank)
                            .toArray(ValueLayout.JAVA_INT);
            shape = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return handle == 0 ? "Tensor[closed]" : "Tensor[" + dtype() + " " + Arrays.toString(sizes()) + "]";
    }
}
