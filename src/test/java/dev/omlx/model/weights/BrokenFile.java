package dev.omlx.model.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A file that must be refused.
 *
 * @param name of the case
 * @param subject the tensor or key that the message must name, if any
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BrokenFile(String name, Kind kind, @Nullable String subject, byte[] bytes) {
    /** Opens it, for less than a second, and checks what comes of that. */
    void requireRefused(Path file, Function<Path, ? extends WeightFile> open) {
        SafetensorsBuilder.write(file, bytes);
        long start = System.nanoTime();
        CheckpointException thrown = catchThrowableOfType(CheckpointException.class, () -> open.apply(file));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as(name).isLessThan(Duration.ofSeconds(1));
        assertThat(thrown).as(name).isNotNull();
        assertThat(thrown.kind()).as(thrown.getMessage()).isEqualTo(kind);
        assertThat(thrown.file()).isEqualTo(file);
        assertThat(thrown).hasMessageStartingWith(file + ": ");
        assertThat(thrown.getMessage()).doesNotContainPattern("\\p{Cntrl}");
        assertThat(thrown.subject().orElse(null)).isEqualTo(subject);
        if (subject != null) {
            assertThat(thrown).hasMessageContaining("'" + subject + "'");
        }
        Mappings.requireNone(file);
    }

    @Override
    public String toString() {
        return name;
    }
}
