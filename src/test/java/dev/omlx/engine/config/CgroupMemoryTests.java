package dev.omlx.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of control groups, old and new. */
class CgroupMemoryTests {
    @TempDir
    private Path root;

    private void file(String path, String content) throws IOException {
        Files.createDirectories(root.resolve(path).getParent());
        Files.writeString(root.resolve(path), content);
    }

    @Test
    void noGroupsNoLimit() {
        assertThat(CgroupMemory.limit(root)).isEmpty();
    }

    @Test
    void aContainerSeesItsGroupAsTheRoot() throws IOException {
        file("proc/self/cgroup", "0::/\n");
        file("sys/fs/cgroup/memory.max", "2147483648\n");
        assertThat(CgroupMemory.limit(root)).hasValue(2L << 30);
    }

    @Test
    void theTightestGroupOnTheWayCounts() throws IOException {
        file("proc/self/cgroup", "0::/user.slice/service\n");
        file("sys/fs/cgroup/user.slice/memory.max", "1000\n");
        file("sys/fs/cgroup/user.slice/service/memory.max", "5000\n");
        assertThat(CgroupMemory.limit(root)).hasValue(1000);
        file("sys/fs/cgroup/user.slice/service/memory.max", "max\n");
        assertThat(CgroupMemory.limit(root)).hasValue(1000);
        file("sys/fs/cgroup/user.slice/memory.max", "max\n");
        assertThat(CgroupMemory.limit(root)).isEmpty();
    }

    @Test
    void theOldVersionHasAFolderAController() throws IOException {
        file("proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/docker/abc\n0::/\n");
        file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(CgroupMemory.limit(root)).hasValue(9223372036854771712L);
        file("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "4096\n");
        assertThat(CgroupMemory.limit(root)).hasValue(4096);
    }

    @Test
    void whatCannotBeReadIsNoLimit() throws IOException {
        file("proc/self/cgroup", "garbage\n\n0::\n");
        file("sys/fs/cgroup/memory.max", "");
        assertThat(CgroupMemory.limit(root)).isEmpty();
    }
}
