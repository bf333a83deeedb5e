package dev.omlx.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * The system's dynamic loader. {@code System.load} won't do: it always loads locally, while the BLAS shim must be
 * loaded globally to come before the BLAS that libmlx brings along.
 */
final class DynamicLoader {

    private static final int RTLD_NOW = 2;
    private static final int RTLD_GLOBAL_LINUX = 0x100;
    private static final int RTLD_GLOBAL_MAC = 0x8;

    private final NativePlatform platform;
    private final MethodHandle dlopen;
    private final MethodHandle dlsym;
    private final MethodHandle dlerror;

    DynamicLoader(NativePlatform platform) {
        this.platform = platform;
        this.dlopen = handle("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
        this.dlsym = handle("dlsym", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        this.dlerror = handle("dlerror", FunctionDescriptor.of(ADDRESS));
    }

    /** Loads a library whose symbols only its own users see. */
    MemorySegment open(Path library) {
        return open(library, RTLD_NOW);
    }

    /** Loads a library whose symbols come first for everything loaded after it. */
    MemorySegment openGlobally(Path library) {
        return open(library, RTLD_NOW | (platform.isMac() ? RTLD_GLOBAL_MAC : RTLD_GLOBAL_LINUX));
    }

    private MemorySegment open(Path library, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = (MemorySegment) dlopen.invokeExact(arena.allocateFrom(library.toString()), mode);
            if (handle.address() == 0) {
                throw new NativeLibraryException("can't load " + library + ": " + lastError()
                        + "; it may belong to another machine than " + platform
                        + ", build it with native-lib/build.sh");
            }
            return handle;
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /** The address of a symbol; null address if the library has none of that name. */
    MemorySegment find(MemorySegment library, String symbol) {
        try (Arena arena = Arena.ofConfined()) {
            return (MemorySegment) dlsym.invokeExact(library, arena.allocateFrom(symbol));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    private String lastError() throws Throwable {
        return CStrings.read(((MemorySegment) dlerror.invokeExact()).address());
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        MemorySegment symbol = Downcall.LINKER
                .defaultLookup()
                .find(name)
                .orElseThrow(() -> new NativeLibraryException("this system's C library has no " + name));
        try {
            return Downcall.LINKER.downcallHandle(symbol, descriptor);
        } catch (IllegalCallerException e) {
            throw new NativeLibraryException(
                    "native access is denied; start Java with --enable-native-access=ALL-UNNAMED", e);
        }
    }
}
