package dev.omlx.mlx;

import dev.omlx.ffi.CpuKernels;
import dev.omlx.ffi.MlxLibrary;
import dev.omlx.ffi.NativeErrors;
import dev.omlx.ffi.NativeSearch;
import dev.omlx.ffi.gen.MlxDevice;
import dev.omlx.ffi.gen.MlxTransforms;
import dev.omlx.ffi.gen.MlxVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** MLX in this process: started once, before any tensor is made. */
public final class Mlx {
    private static final String WORKING_SET = "max_recommended_working_set_size";

    private static volatile @Nullable Device device;
    private static volatile @Nullable CpuKernels cpuKernels;

    private Mlx() {}

    /**
     * Loads the library and chooses the device: the GPU if there is one, else the CPU. A second call does nothing.
     *
     * @throws dev.omlx.ffi.NativeLibraryException if the library is missing or unfit
     */
    public static synchronized void start(NativeSearch search) {
        if (device == null) {
            MlxLibrary library = MlxLibrary.load(search);
            Device chosen = available(Device.GPU) ? Device.GPU : Device.CPU;
            cpuKernels = chosen == Device.CPU ? library.cpuKernels().orElse(null) : null;
            device = chosen;
        }
    }

    /** Where everything is computed. */
    public static Device device() {
        Device chosen = device;
        if (chosen == null) {
            throw new IllegalStateException("MLX has not been started");
        }
        return chosen;
    }

    /** Our own kernels, where everything is computed on a CPU for which there are some. */
    static @Nullable CpuKernels cpuKernels() {
        return cpuKernels;
    }

    /** The version of MLX. */
    public static String version() {
        return MlxLibrary.version();
    }

    private static boolean available(Device device) {
        long handle = MlxDevice.mlx_device_new_type(device.code(), 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_BYTE);
            NativeErrors.check(MlxDevice.mlx_device_is_available(answer.address(), handle), "device_is_available");
            return answer.get(ValueLayout.JAVA_BYTE, 0) != 0;
        } finally {
            MlxDevice.mlx_device_free(handle);
        }
    }

    /**
     * What the device's driver recommends to hold at most, in bytes; empty where it says nothing, as on the CPU. Not run
     * on macOS.
     */
    public static OptionalLong recommendedWorkingSet() {
        long handle = MlxDevice.mlx_device_new_type(device().code(), 0);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(ValueLayout.JAVA_LONG);
            info.set(ValueLayout.JAVA_LONG, 0, MlxDevice.mlx_device_info_new());
            try {
                NativeErrors.check(MlxDevice.mlx_device_info_get(info.address(), handle), "device_info_get");
                MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
                MemorySegment key = arena.allocateFrom(WORKING_SET);
                int answer = MlxDevice.mlx_device_info_get_size(
                        value.address(), info.get(ValueLayout.JAVA_LONG, 0), key.address());
                return answer == 0 ? OptionalLong.of(value.get(ValueLayout.JAVA_LONG, 0)) : OptionalLong.empty();
            } finally {
                MlxDevice.mlx_device_info_free(info.get(ValueLayout.JAVA_LONG, 0));
            }
        } finally {
            MlxDevice.mlx_device_free(handle);
        }
    }

    /** Starts computing these tensors and returns before they are done. */
    public static void asyncEval(Tensor... tensors) {
        MlxThread t = MlxThread.current();
        long vector = MlxVector.mlx_vector_array_new_data(t.handles(tensors), tensors.length);
        try {
            NativeErrors.check(MlxTransforms.mlx_async_eval(vector), "async_eval");
        } finally {
            MlxVector.mlx_vector_array_free(vector);
        }
    }
}
