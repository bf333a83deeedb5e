package dev.omlx.mlx;

import dev.omlx.ffi.NativeErrors;
import dev.omlx.ffi.gen.MlxMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongToIntFunction;

/** What MLX's allocator holds and may hold, in bytes. Safe from any thread. */
public final class DeviceMemory {
    private DeviceMemory() {}

    /** Held by tensors. */
    public static long active() {
        return read(MlxMemory::mlx_get_active_memory, "get_active_memory");
    }

    /** Freed by tensors and kept for new ones. */
    public static long cached() {
        return read(MlxMemory::mlx_get_cache_memory, "get_cache_memory");
    }

    /** The most that was {@link #active} at a time. */
    public static long peak() {
        return read(MlxMemory::mlx_get_peak_memory, "get_peak_memory");
    }

    /** Bounds {@link #cached}. */
    public static void limitCache(long bytes) {
        read(previous -> MlxMemory.mlx_set_cache_limit(previous, bytes), "set_cache_limit");
    }

    /** Bounds what MLX allocates before it waits for running work to free some. */
    public static void limit(long bytes) {
        read(previous -> MlxMemory.mlx_set_memory_limit(previous, bytes), "set_memory_limit");
    }

    /** Gives back to the system what is {@link #cached}. */
    public static void clearCache() {
        NativeErrors.check(MlxMemory.mlx_clear_cache(), "clear_cache");
    }

    private static long read(LongToIntFunction call, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_LONG);
            NativeErrors.check(call.applyAsInt(answer.address()), name);
            return answer.get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
