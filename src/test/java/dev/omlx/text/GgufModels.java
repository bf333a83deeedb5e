package dev.omlx.text;

import dev.omlx.model.weights.GgufFile;
import dev.omlx.model.weights.GgufMetadata;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads the text side of real GGUF files for tests. */
final class GgufModels {

    private GgufModels() {}

    static ModelText open(Path path) {
        try (GgufFile file = GgufFile.open(path)) {
            return ModelText.of(GgufVocabulary.of(path.toString(), source(file.metadata())));
        }
    }

    private static GgufSource source(GgufMetadata metadata) {
        return new GgufSource() {
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
        };
    }
}
