package dev.omlx.engine.config;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The memory there is.
 *
 * @param bytes of the machine, or of the container around this process if that has less
 * @param gpuBytes what the administrator lets the GPU wire down; only on macOS, and only if it was set
 */
record MachineMemory(long bytes, OptionalLong gpuBytes) {
    private static final String WIRED_LIMIT = "iogpu.wired_limit_mb";
    private static final int SYSCTL_SECONDS = 5;

    /** That of this machine. */
    static MachineMemory read() {
        long machine =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        boolean mac = System.getProperty("os.name").startsWith("Mac");
        return of(machine, CgroupMemory.limit(Path.of("/")), mac ? MachineMemory::sysctl : name -> Optional.empty());
    }

    /**
     * @param container the limit of the container, if there is one
     * @param sysctl gives a system variable of macOS by its name, as text
     */
    static MachineMemory of(long machine, OptionalLong container, Function<String, Optional<String>> sysctl) {
        OptionalLong wired =
                sysctl.apply(WIRED_LIMIT).map(MachineMemory::megabytes).orElse(OptionalLong.empty());
        return new MachineMemory(Math.min(machine, container.orElse(machine)), wired);
    }

    /** 0 is what macOS says where nothing was set. */
    private static OptionalLong megabytes(String text) {
        try {
            long value = Long.parseLong(text.strip());
            return value > 0 ? OptionalLong.of(value << 20) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Not run on macOS. */
    private static Optional<String> sysctl(String name) {
        try {
            Process process = new ProcessBuilder("/usr/sbin/sysctl", "-n", name)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(SYSCTL_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            return Optional.of(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
