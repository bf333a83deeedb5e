package dev.omlx.engine.config;

import dev.omlx.engine.ModelStore;
import dev.omlx.ffi.NativeSearch;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder of models, caches and logs, and what is where in it.
 *
 * @param folder {@code omlx.home}
 */
public record OmlxHome(Path folder) {
    static OmlxHome of(@Nullable Path configured) {
        return new OmlxHome(configured != null ? configured : Path.of(System.getProperty("user.home"), ".omlx"));
    }

    /** The models in it. */
    public ModelStore models() {
        return new ModelStore(folder.resolve("models"));
    }

    /**
     * Where to look for MLX.
     *
     * @param configured {@code omlx.native-library}, if set
     */
    public NativeSearch nativeLibrary(@Nullable Path configured) {
        return new NativeSearch(configured, Path.of(""), folder.resolve("native"));
    }
}
