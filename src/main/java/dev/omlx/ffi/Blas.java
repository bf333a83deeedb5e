package dev.omlx.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The OpenBLAS that does the matrix products of the CPU device on Linux. */
public final class Blas {

    private final String configuration;
    private final MethodHandle threads;
    private final MethodHandle setThreads;

    Blas(DynamicLoader loader, MemorySegment shim) {
        this.threads = handle(loader, shim, "omlx_blas_threads", FunctionDescriptor.of(ValueLayout.JAVA_INT));
        this.setThreads =
                handle(loader, shim, "omlx_blas_set_threads", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        try {
            this.configuration = CStrings.read(
                    (long) handle(loader, shim, "omlx_blas_config", FunctionDescriptor.of(ValueLayout.JAVA_LONG))
                            .invokeExact());
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /** Its version and kernels, such as {@code OpenBLAS 0.3.34 … Haswell MAX_THREADS=64}. */
    public String configuration() {
        return configuration;
    }

    /** How many threads a matrix product uses. */
    public int threads() {
        try {
            return (int) threads.invokeExact();
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /** Sets how many threads a matrix product uses; at first it is one for each core. */
    public void setThreads(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("BLAS threads must be at least 1, not " + count);
        }
        try {
            setThreads.invokeExact(count);
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(
            DynamicLoader loader, MemorySegment shim, String name, FunctionDescriptor descriptor) {
        return Downcall.LINKER.downcallHandle(loader.find(shim, name), descriptor);
    }
}
