package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.model.ModelLoader;
import dev.omlx.model.Precision;
import dev.omlx.model.weights.CheckpointException;
import dev.omlx.testsupport.TestModels;
import dev.omlx.text.ModelText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model's files are opened once for its weights, its shape and its texts. */
class ModelFilesTests {
    @TempDir
    private Path folder;

    @Test
    void oneOpenedFileServesAll() throws Exception {
        Path file = Files.copy(TestModels.smollm2(), folder.resolve("m.gguf"), StandardCopyOption.REPLACE_EXISTING);
        try (ModelLoader files = ModelLoader.open(file)) {
            // whoever opened it again would not find it
            Files.delete(file);

            assertThat(files.plan(Precision.STORED).shape().vocabulary()).isEqualTo(49152);
            try (ModelText text = ModelTexts.read(files)) {
                assertThat(text.tokenizer().encode("Hello")).isNotEmpty();
            }
            assertThat(files.plan(Precision.STORED).weightBytes()).isPositive();
        }
        assertThatThrownBy(() -> ModelLoader.open(file)).isInstanceOf(CheckpointException.class);
    }
}
