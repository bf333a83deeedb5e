package dev.omlx.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** The heap of the C library, where MLX's tensors on the CPU stand. Safe from any thread. */
public final class NativeHeap {
    private static final Optional<MethodHandle> MALLOC_TRIM = mallocTrim();

    private NativeHeap() {}

    @SuppressWarnings("restricted")
    private static Optional<MethodHandle> mallocTrim() {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("malloc_trim")
                .map(function -> linker.downcallHandle(function, FunctionDescriptor.of(JAVA_INT, JAVA_LONG)));
    }

    /**
     * Gives freed memory back to the system, which glibc by itself only does at the end of each of its arenas: after many
     * requests it would keep hundreds of megabytes for good. Other C libraries have no such call and are left alone.
     */
    public static void trim() {
        if (MALLOC_TRIM.isPresent()) {
            try {
                int released = (int) MALLOC_TRIM.get().invokeExact(0L);
            } catch (Throwable failure) {
                throw Downcall.unexpected(failure);
            }
        }
    }
}
