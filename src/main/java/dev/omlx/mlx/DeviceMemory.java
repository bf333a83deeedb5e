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

    /** The most that tensors have held since the start, or since {@link #resetPeak}. */
    public static long peak() {
        return read(MlxMemory::mlx_get_peak_memory, "get_peak_memory");
    }

    /** Begins a new {@link #peak} from nothing. */
    public static void resetPeak() {
        NativeErrors.check(MlxMemory.mlx_reset_peak_memory(), "reset_peak_memory");
    }

    /** Freed by tensors and kept for the next ones. Always 0 on the CPU, whose allocator keeps nothing. */
    public static long cached() {
        return read(MlxMemory::mlx_get_cache_memory, "get_cache_memory");
    }

    /** Gives back to the system all that is {@link #cached}. */
    public static void clearCache() {
        NativeErrors.check(MlxMemory.mlx_clear_cache(), "clear_cache");
    }

    /** Bounds what MLX holds before it waits for running work to free some. */
    public static void limit(long bytes) {
        read(previous -> MlxMemory.mlx_set_memory_limit(previous, bytes), "set_memory_limit");
    }

    /** Bounds what is {@link #cached}. */
    public static void cacheLimit(long bytes) {
        read(previous -> MlxMemory.mlx_set_cache_limit(previous, bytes), "set_cache_limit");
    }

    /**
     * How much the GPU may keep resident; for Metal on macOS 15 and newer only.
     *
     * @throws dev.omlx.ffi.MlxException if it is more than the system allows
     */
    public static void wiredLimit(long bytes) {
        read(previous -> MlxMemory.mlx_set_wired_limit(previous, bytes), "set_wired_limit");
    }

    private static long read(LongToIntFunction call, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_LONG);
            NativeErrors.check(call.applyAsInt(answer.address()), name);
            return answer.get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
