package dev.omlx.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NativeHeapTests {
    /** Small enough for malloc to take from its heap and not from the system. */
    private static final int PIECE = 64 << 10;

    private static final int PIECES = 3_000;

    @Test
    void givesBackWhatWasFreedBelowSomethingThatIsStillInUse() throws IOException {
        try (Arena used = Arena.ofConfined()) {
            try (Arena freed = Arena.ofConfined()) {
                for (int i = 0; i < PIECES; i++) {
                    freed.allocate(PIECE).fill((byte) 1);
                }
                used.allocate(PIECE).fill((byte) 1);
            }
            long before = resident();

            NativeHeap.trim();

            assertThat(before - resident()).isGreaterThan((long) PIECES * PIECE / 2);
        }
    }

    private static long resident() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElseThrow();
    }
}
