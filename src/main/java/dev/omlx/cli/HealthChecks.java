package dev.omlx.cli;

import com.sun.management.OperatingSystemMXBean;
import dev.omlx.engine.ModelLocation;
import dev.omlx.engine.config.OmlxHome;
import dev.omlx.ffi.Blas;
import dev.omlx.ffi.MlxLibrary;
import dev.omlx.ffi.NativeLibraryException;
import dev.omlx.ffi.NativeSearch;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.Mlx;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at what the server needs of this machine. */
final class HealthChecks {
    private static final long LOW_DISK = 5_000_000_000L;
    private static final long LOW_MEMORY = 2_000_000_000L;

    private final OmlxHome home;
    private final NativeSearch library;
    private final OperatingSystemMXBean machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    HealthChecks(OmlxHome home, NativeSearch library) {
        this.home = home;
        this.library = library;
    }

    List<HealthCheck> all() {
        List<HealthCheck> checks = new ArrayList<>(List.of(system(), java(), memory(), disk()));
        checks.addAll(mlx());
        checks.add(models());
        return checks;
    }

    private HealthCheck system() {
        return HealthCheck.ok(
                "system",
                machine.getName() + " " + machine.getVersion() + ", " + machine.getArch() + ", "
                        + machine.getAvailableProcessors() + " processors");
    }

    private static HealthCheck java() {
        Runtime.Version version = Runtime.version();
        return HealthCheck.ok(
                "java", version + " (" + ManagementFactory.getRuntimeMXBean().getVmVendor() + ")");
    }

    private HealthCheck memory() {
        long free = machine.getFreeMemorySize();
        String text = Sizes.readable(free) + " free of " + Sizes.readable(machine.getTotalMemorySize());
        return free < LOW_MEMORY
                ? HealthCheck.warn("memory", text + "; close other programs, or set omlx.memory.max lower")
                : HealthCheck.ok("memory", text);
    }

    private HealthCheck disk() {
        Path folder = existing(home.folder().toAbsolutePath());
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            String text = Sizes.readable(free) + " free for " + home.folder();
            if (!Files.isWritable(folder)) {
                return HealthCheck.fail("disk", folder + " is not writable; set OMLX_HOME to a folder that is");
            }
            return free < LOW_DISK
                    ? HealthCheck.warn("disk", text + "; models and caches need more")
                    : HealthCheck.ok("disk", text);
        } catch (IOException failure) {
            return HealthCheck.fail("disk", folder + " cannot be read: " + Failures.describe(failure));
        }
    }

    private static Path existing(Path path) {
        Path parent = path.getParent();
        return Files.exists(path) || parent == null ? path : existing(parent);
    }

    private List<HealthCheck> mlx() {
        try {
            Mlx.start(library);
            MlxLibrary loaded = MlxLibrary.load(library);
            List<HealthCheck> checks = new ArrayList<>();
            checks.add(HealthCheck.ok("library", "MLX " + Mlx.version() + " in " + loaded.folder()));
            checks.add(device(loaded.blas().orElse(null)));
            return checks;
        } catch (NativeLibraryException | LinkageError failure) {
            return List.of(HealthCheck.fail("library", Failures.describe(failure)));
        }
    }

    private static HealthCheck device(@Nullable Blas blas) {
        if (Mlx.device() == Device.GPU) {
            return HealthCheck.ok("device", "GPU");
        }
        String text =
                "CPU" + (blas == null ? "" : " with " + blas.configuration() + ", " + blas.threads() + " threads");
        return HealthCheck.warn("device", text + "; there is no GPU that MLX can use, so answers are slow");
    }

    private HealthCheck models() {
        List<String> ids = home.models().list().stream().map(ModelLocation::id).toList();
        return ids.isEmpty()
                ? HealthCheck.warn("models", "none in " + home.folder().resolve("models") + "; name one by --model")
                : HealthCheck.ok("models", String.join(", ", ids));
    }
}
