package dev.omlx.mlx;

import dev.omlx.ffi.NativeErrors;
import dev.omlx.ffi.gen.MlxArray;
import dev.omlx.ffi.gen.MlxStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What one thread needs to call MLX: its stream, its scratch memory and its innermost open scope. MLX's streams belong
 * to threads, so a tensor must stay on the thread that made it; every use asks here and throws when it is elsewhere.
 */
final class MlxThread {
    private static final ThreadLocal<MlxThread> CURRENT = ThreadLocal.withInitial(MlxThread::new);
    private static final Map<String, MemorySegment> WORDS = new ConcurrentHashMap<>();
    private static final int INTS = 1024;

    private final Thread thread = Thread.currentThread();
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
    private final MemorySegment ints = arena.allocate(ValueLayout.JAVA_INT, INTS);
    private MemorySegment handles = arena.allocate(ValueLayout.JAVA_LONG, 64);
    private int intsUsed;
    private final long stream;
    private @Nullable TensorScope scope;

    private MlxThread() {
        stream = Mlx.device() == Device.GPU
                ? MlxStream.mlx_default_gpu_stream_new()
                : MlxStream.mlx_default_cpu_stream_new();
    }

    static MlxThread current() {
        return CURRENT.get();
    }

    long stream() {
        return stream;
    }

    String name() {
        return thread.getName();
    }

    /** Address of an empty result slot; also forgets the scratch integers of the call before. */
    long out() {
        intsUsed = 0;
        result.set(ValueLayout.JAVA_LONG, 0, 0L);
        return result.address();
    }

    /** Address of a copy of these integers, valid until the next {@link #out()}. */
    long ints(int... values) {
        if (intsUsed + values.length > INTS) {
            throw new IllegalArgumentException("too many dimensions: " + values.length);
        }
        MemorySegment.copy(values, 0, ints, ValueLayout.JAVA_INT, 4L * intsUsed, values.length);
        long address = ints.address() + 4L * intsUsed;
        intsUsed += values.length;
        return address;
    }

    /** Address of the tensors' handles, valid until the next call. */
    long handles(Tensor... tensors) {
        if (handles.byteSize() < 8L * tensors.length) {
            handles = arena.allocate(ValueLayout.JAVA_LONG, 2L * tensors.length);
        }
        for (int i = 0; i < tensors.length; i++) {
            handles.setAtIndex(ValueLayout.JAVA_LONG, i, tensors[i].handle(this));
        }
        return handles.address();
    }

    /** The handle, or none where there is no tensor. */
    long handle(@Nullable Tensor tensor) {
        return tensor == null ? 0 : tensor.handle(this);
    }

    /** Address of a C string that lives as long as the process; only for the few words MLX knows. */
    long text(String word) {
        return WORDS.computeIfAbsent(word, w -> Arena.global().allocateFrom(w)).address();
    }

    /** The call's result as a tensor of the open scope, or MLX's error as an exception. */
    Tensor result(int code, String call) {
        NativeErrors.check(code, call);
        return adopt(result.get(ValueLayout.JAVA_LONG, 0));
    }

    boolean isAvailable(Tensor tensor) {
        NativeErrors.check(MlxArray._mlx_array_is_available(out(), tensor.handle(this)), "array_is_available");
        return result.get(ValueLayout.JAVA_BYTE, 0) != 0;
    }

    Tensor adopt(long handle) {
        return new Tensor(handle, this, scope());
    }

    TensorScope scope() {
        TensorScope open = scope;
        if (open == null) {
            throw new IllegalStateException(
                    "no TensorScope is open on thread " + Thread.currentThread().getName());
        }
        return open;
    }

    @Nullable
    TensorScope innermost() {
        return scope;
    }

    void innermost(@Nullable TensorScope scope) {
        this.scope = scope;
    }
}
