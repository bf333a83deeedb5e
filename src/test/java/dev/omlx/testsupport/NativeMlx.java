package dev.omlx.testsupport;

import dev.omlx.ffi.NativeSearch;
import dev.omlx.mlx.Mlx;
import java.nio.file.Path;

/** Starts the real MLX for an integration test; a missing library fails it. */
public final class NativeMlx {
    private NativeMlx() {}

    public static void start() {
        Mlx.start(new NativeSearch(null, Path.of(""), Path.of("target", "native")));
    }
}
