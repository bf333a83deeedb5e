package dev.omlx.testsupport;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the models that integration tests run on; a missing one fails the test. */
public final class TestModels {
    private TestModels() {}

    /** The GGUF file of the default model. */
    public static Path smollm2() {
        Path models = Path.of(System.getProperty(
                "omlx.test.models",
                Path.of(System.getProperty("user.home"), ".omlx", "models").toString()));
        Path file = models.resolve("smollm2").resolve("SmolLM2-135M-Instruct.Q4_1.gguf");
        if (!Files.isRegularFile(file)) {
            throw new IllegalStateException(
                    "the default model is not at " + file + "; native-lib/fetch-default-model.sh puts it there");
        }
        return file;
    }
}
