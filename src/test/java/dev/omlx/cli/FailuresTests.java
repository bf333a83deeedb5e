package dev.omlx.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.engine.api.EngineException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FailuresTests {
    @Test
    void prefersOurOwnWordsToTheRootCause() {
        Throwable failure = new RuntimeException(
                "wrapper", new EngineException.Failed("the checkpoint is broken", new IOException("short read")));

        assertThat(Failures.describe(failure)).isEqualTo("the checkpoint is broken");
    }

    @Test
    void namesTheKindOfAForeignRootCause() {
        assertThat(Failures.describe(new RuntimeException("wrapper", new IOException("short read"))))
                .isEqualTo("IOException: short read");
        assertThat(Failures.describe(new RuntimeException(new NoSuchFileException("a.gguf"))))
                .isEqualTo("a.gguf: no such file or folder");
        assertThat(Failures.describe(new StackOverflowError())).isEqualTo("StackOverflowError");
    }

    @Test
    void keepsToOneLine() {
        assertThat(Failures.describe(new IllegalStateException("first\n  second\r\nthird")))
                .isEqualTo("first second third");
    }
}
