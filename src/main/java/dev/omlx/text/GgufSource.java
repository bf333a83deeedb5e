package dev.omlx.text;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The metadata of a GGUF file by key, as whoever reads the file offers it; empty where a key is absent. */
public interface GgufSource {

    Optional<String> findString(String key);

    Optional<List<String>> findStrings(String key);

    OptionalInt findInt(String key);

    Optional<int[]> findInts(String key);

    Optional<float[]> findFloats(String key);

    Optional<Boolean> findFlag(String key);
}
