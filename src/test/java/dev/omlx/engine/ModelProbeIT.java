package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.ffi.NativeSearch;
import dev.omlx.model.Precision;
import dev.omlx.testsupport.TinyModel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelProbeIT {
    private static final int CONTEXT = 512;

    @TempDir
    private Path folder;

    @Test
    void readsUpToTheContextAndNoFurther() {
        NativeSearch library = new NativeSearch(null, Path.of(""), Path.of("target", "native"));
        try (ModelProbe probe = ModelProbe.open(TinyModel.in(folder), library, Precision::auto, 1L << 30)) {
            assertThat(probe.read(new int[CONTEXT - 2], 2).tokens()).hasSize(2);
            assertThatThrownBy(() -> probe.read(new int[CONTEXT - 2], 3))
                    .hasMessage("510 ids and 3 further tokens do not fit the context of 512");
            assertThatThrownBy(() -> probe.read(new int[] {256}, 1))
                    .hasMessage("token id 256 is not in the vocabulary of 256");
        }
    }
}
