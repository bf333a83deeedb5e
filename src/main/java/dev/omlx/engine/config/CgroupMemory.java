package dev.omlx.engine.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What Linux lets the container around this process take: the tightest limit on the way to its control group. */
final class CgroupMemory {
    private static final String V1_CONTROLLER = "memory";

    private CgroupMemory() {}

    /**
     * The limit in bytes; empty where there is none, or no control groups.
     *
     * @param root of the file system
     */
    static OptionalLong limit(Path root) {
        Path mount = root.resolve("sys/fs/cgroup");
        OptionalLong limit = OptionalLong.empty();
        for (String line : lines(root.resolve("proc/self/cgroup"))) {
            // hierarchy : controllers : path
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                limit = tighter(limit, tightest(mount, parts[2], "memory.max"));
            } else if (parts.length == 3 && List.of(parts[1].split(",")).contains(V1_CONTROLLER)) {
                limit = tighter(limit, tightest(mount.resolve(V1_CONTROLLER), parts[2], "memory.limit_in_bytes"));
            }
        }
        return limit;
    }

    /** A container may see its own group as the root of the mount, or by its path from the machine's. */
    private static OptionalLong tightest(Path mount, String group, String file) {
        OptionalLong limit = read(mount.resolve(file));
        Path folder = mount;
        for (Path part : Path.of(group)) {
            folder = folder.resolve(part);
            limit = tighter(limit, read(folder.resolve(file)));
        }
        return limit;
    }

    private static OptionalLong tighter(OptionalLong one, OptionalLong other) {
        return one.isEmpty() || (other.isPresent() && other.getAsLong() < one.getAsLong()) ? other : one;
    }

    /** Anything but a number, such as {@code max}, is no limit. */
    private static OptionalLong read(Path file) {
        List<String> lines = lines(file);
        @Nullable String text = lines.isEmpty() ? null : lines.getFirst().strip();
        try {
            return text == null || text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
