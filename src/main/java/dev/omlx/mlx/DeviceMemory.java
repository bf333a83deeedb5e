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

    /** Bounds what MLX allocates before it waits for running work to free some. */
    public static void limit(long bytes) {
        read(previous -> MlxMemory.mlx_set_memory_limit(previous, bytes), "set_memory_limit");
    }

    private static long read(LongToIntFunction call, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_LONG);
            NativeErrors.check(call.applyAsInt(answer.address()), name);
            return answer.get(ValueLayout.JAVA_LONG, 0);
        }
    }
}
