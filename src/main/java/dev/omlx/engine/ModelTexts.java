package dev.omlx.engine;

import dev.omlx.model.ModelLoader;
import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.GgufMetadata;
import dev.omlx.text.GgufSource;
import dev.omlx.text.GgufVocabulary;
import dev.omlx.text.ModelText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads a model's tokenizer and chat template, wherever its layout keeps them. */
public final class ModelTexts {
    private ModelTexts() {}

    /**
     * Reads those of the model there.
     *
     * @param path a directory in safetensors layout, or a {@code .gguf} file
     * @throws dev.omlx.text.TextException if the tokenizer is missing or broken
     * @throws dev.omlx.model.weights.CheckpointException if the GGUF file is broken
     */
    public static ModelText read(Path path) {
        if (Files.isDirectory(path)) {
            return ModelText.of(path);
        }
        try (Checkpoint checkpoint = Checkpoint.open(path)) {
            return read(path, checkpoint.gguf());
        }
    }

    /** The same of a model whose files are open already. */
    static ModelText read(ModelLoader model) {
        return Files.isDirectory(model.path()) ? ModelText.of(model.path()) : read(model.path(), model.gguf());
    }

    /** Beside a single safetensors file stands what a directory would hold. */
    private static ModelText read(Path file, Optional<GgufMetadata> gguf) {
        return gguf.map(metadata -> ModelText.of(GgufVocabulary.of(file.toString(), new Metadata(metadata))))
                .orElseGet(() -> ModelText.of(file.resolveSibling("")));
    }

    private record Metadata(GgufMetadata metadata) implements GgufSource {
        @Override
        public Optional<String> findString(String key) {
            return metadata.findString(key);
        }

        @Override
        public Optional<List<String>> findStrings(String key) {
            return metadata.findStrings(key);
        }

        @Override
        public OptionalInt findInt(String key) {
            return metadata.findInt(key);
        }

        @Override
        public Optional<int[]> findInts(String key) {
            return metadata.findInts(key);
        }

        @Override
        public Optional<float[]> findFloats(String key) {
            return metadata.findFloats(key);
        }

        @Override
        public Optional<Boolean> findFlag(String key) {
            return metadata.findFlag(key);
        }
    }
}
