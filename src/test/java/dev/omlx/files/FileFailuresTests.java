package dev.omlx.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileFailuresTests {
    @TempDir
    private Path folder;

    @Test
    void saysWhatJavaLeavesToTheType() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(reason(() -> Files.readString(folder.resolve("nowhere")))).isEqualTo("no such file or folder");
        assertThat(reason(() -> Files.createDirectories(file))).isEqualTo("something else has that name");
        assertThat(reason(() -> Files.newDirectoryStream(file))).isEqualTo("not a folder");
        assertThat(FileFailures.reason(new AccessDeniedException("a"))).isEqualTo("permission denied");
    }

    @Test
    void passesOnWhatTheSystemSays() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThat(reason(() -> Files.createDirectories(file.resolve("below")))).isEqualTo("Not a directory");
        assertThat(FileFailures.reason(new IOException("No space left on device")))
                .isEqualTo("No space left on device");
        assertThat(FileFailures.reason(new IOException())).isEqualTo("IOException");
    }

    private static String reason(Callable<?> use) {
        return FileFailures.reason(catchThrowableOfType(IOException.class, use::call));
    }
}
