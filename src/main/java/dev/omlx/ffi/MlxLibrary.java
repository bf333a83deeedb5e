package dev.omlx.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The MLX library of this process: loaded once, never unloaded. Loading installs the error handler and checks the
 * version, so whoever holds an instance may call the bindings in {@code ffi.gen}.
 */
public final class MlxLibrary {

    /** The MLX that the bindings belong to; {@code native-lib} pins the same. */
    public static final String MLX_VERSION = "0.32.2";

    /** The mlx-c whose headers the bindings were generated from; it fits no other MLX. */
    public static final String MLX_C_VERSION = "0.7.0";

    private static volatile @Nullable MlxLibrary loaded;

    private final Path folder;
    private final DynamicLoader loader;
    private final @Nullable Blas blas;
    private final MemorySegment mlxc;
    private final @Nullable CpuKernels cpuKernels;

    private MlxLibrary(Path folder, NativePlatform platform) {
        this.folder = folder;
        this.loader = new DynamicLoader(platform);
        Path shim = folder.resolve(platform.libraryFile("omlx_blas"));
        this.blas = Files.exists(shim) ? new Blas(loader, loader.openGlobally(shim)) : null;
        this.mlxc = loader.open(folder.resolve(platform.libraryFile("mlxc")));
        Path kernels = folder.resolve(platform.libraryFile("omlx_ops"));
        this.cpuKernels = Files.exists(kernels) ? new CpuKernels(loader, loader.open(kernels)) : null;
    }

    /**
     * Loads the library, or returns the one that is loaded, wherever it came from.
     *
     * @throws NativeLibraryException if there is none, it doesn't fit this machine, or it is another version
     */
    public static synchronized MlxLibrary load(NativeSearch search) {
        MlxLibrary library = loaded;
        if (library == null) {
            NativePlatform platform = NativePlatform.current();
            library = new MlxLibrary(locate(search, platform, MlxLibrary.class::getResourceAsStream), platform);
            loaded = library;
            try {
                NativeErrors.install();
                checkVersion(version());
            } catch (RuntimeException e) {
                loaded = null;
                throw e;
            }
        }
        return library;
    }

    /** The folder that it was loaded from. */
    public Path folder() {
        return folder;
    }

    /** The version of the loaded MLX. */
    public static String version() {
        MethodHandle version = Downcall.function("mlx_version", "(J)I");
        MethodHandle data = Downcall.function("mlx_string_data", "(J)J");
        MethodHandle free = Downcall.function("mlx_string_free", "(J)I");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment string = arena.allocate(ValueLayout.JAVA_LONG);
            NativeErrors.check((int) version.invokeExact(string.address()), "mlx_version");
            long handle = string.get(ValueLayout.JAVA_LONG, 0);
            String text = CStrings.read((long) data.invokeExact(handle));
            NativeErrors.check((int) free.invokeExact(handle), "mlx_string_free");
            return text;
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /** The BLAS of the CPU device; empty on macOS, where Accelerate is built in. */
    public Optional<Blas> blas() {
        return Optional.ofNullable(blas);
    }

    /** Our own kernels for the CPU device; empty on macOS, which computes on the GPU. */
    public Optional<CpuKernels> cpuKernels() {
        return Optional.ofNullable(cpuKernels);
    }

    static MemorySegment symbol(String name) {
        MlxLibrary library = loaded;
        if (library == null) {
            throw new NativeLibraryException(name + " was called before MlxLibrary.load");
        }
        MemorySegment symbol = library.loader.find(library.mlxc, name);
        if (symbol.address() == 0) {
            throw new NativeLibraryException("libmlxc in " + library.folder + " has no " + name
                    + "; build the right one with native-lib/build.sh");
        }
        return symbol;
    }

    /** The folder to load from: the configured one, else the jar's own files unpacked, else the project's build. */
    static Path locate(NativeSearch search, NativePlatform platform, NativeFiles jar) {
        if (platform.isMac() && !platform.arch().equals("arm64")) {
            throw new NativeLibraryException(
                    "MLX needs Apple Silicon and a Java for arm64; this Java is for " + platform.arch());
        }
        Path explicit = search.folder();
        if (explicit != null) {
            return existing(explicit, platform, "; correct the configured folder or leave it out");
        }
        Path built = search.project().resolve("native-lib").resolve("dist").resolve(platform.toString());
        return new NativeUnpacker(name -> jar.open("/native/" + platform + "/" + name), search.unpackTo())
                .unpack()
                .orElseGet(() -> existing(built, platform, "; build it with native-lib/build.sh"));
    }

    private static Path existing(Path folder, NativePlatform platform, String advice) {
        Path absolute = folder.toAbsolutePath().normalize();
        if (!Files.exists(absolute.resolve(platform.libraryFile("mlxc")))) {
            throw new NativeLibraryException("no native library for " + platform + ": there is no "
                    + platform.libraryFile("mlxc") + " in " + absolute + advice);
        }
        return absolute;
    }

    static void checkVersion(String found) {
        if (!found.equals(MLX_VERSION)) {
            throw new NativeLibraryException("MLX " + found + " was loaded, but mlx-c " + MLX_C_VERSION
                    + " and the bindings need MLX " + MLX_VERSION + "; build it with native-lib/build.sh");
        }
    }
}
