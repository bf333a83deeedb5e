package dev.omlx.testsupport;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Chat templates of real models. They belong to their publishers and lie outside of the repository: in {@code
 * chat-templates} of the directory that {@code OMLX_SHARED} names, or of {@code ../shared}.
 */
public final class ChatTemplates {
    private ChatTemplates() {}

    public static boolean areThere() {
        return Files.isDirectory(place());
    }

    private static Path place() {
        String shared = System.getenv("OMLX_SHARED");
        return Path.of(shared == null ? "../shared" : shared).resolve("chat-templates");
    }

    /** Where they are. Without them the test that asks is skipped, but in CI it fails. */
    public static Path directory() {
        Path directory = place();
        if (!areThere()) {
            String message = "The chat templates are missing at "
                    + directory.toAbsolutePath().normalize()
                    + "; set OMLX_SHARED to the directory that has chat-templates in it";
            if ("true".equals(System.getenv("CI"))) {
                fail(message);
            }
            abort(message);
        }
        return directory;
    }
}
