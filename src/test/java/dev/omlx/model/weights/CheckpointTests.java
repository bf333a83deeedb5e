package dev.omlx.model.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files a path stands for, and what is checked across them. */
class CheckpointTests {
    private static final String INDEX = "model.safetensors.index.json";
    private static final String SHARD_1 = "model-00001-of-00002.safetensors";
    private static final String SHARD_2 = "model-00002-of-00002.safetensors";

    @TempDir
    private Path directory;

    @Test
    void opensTheSingleFileAndClosesIt() {
        new SafetensorsBuilder()
                .metadata("format", "mlx")
                .tensor("a", "F32", List.of(2, 3), new byte[24])
                .write(directory.resolve("model.safetensors"));
        try (Checkpoint checkpoint = Checkpoint.open(directory)) {
            assertThat(checkpoint.path()).isEqualTo(directory);
            assertThat(checkpoint.metadata()).containsExactly(Map.entry("format", "mlx"));
            assertThat(checkpoint.gguf()).isEmpty();
            assertThat(checkpoint.byteLength()).isEqualTo(24);
            assertThat(checkpoint.tensor("a", List.of(2, 3)).type()).isEqualTo(StoredType.F32);
            assertThat(checkpoint.find("b")).isEmpty();
            assertFault(Kind.MISSING_TENSOR, directory.resolve("model.safetensors"), "b", () -> checkpoint.tensor("b"));
            CheckpointException wrong = assertFault(
                    Kind.WRONG_SHAPE,
                    directory.resolve("model.safetensors"),
                    "a",
                    () -> checkpoint.tensor("a", List.of(3, 2)));
            assertThat(wrong).hasMessageContaining("[2, 3]").hasMessageContaining("[3, 2]");
        }
        Mappings.requireNone(directory);
    }

    @Test
    void saysInPlainWordsWhatIsNoIndex() throws IOException {
        Path index = directory.resolve(INDEX);
        Files.writeString(index, "{\"weight_map\": {\n\"a\": \"b");
        assertThat(assertFault(Kind.MALFORMED, index, "a", () -> Checkpoint.open(directory)))
                .hasMessageContaining("JSON at line 2, column ")
                .hasMessageEndingWith(": it ends too early");
        Files.writeString(index, "[]");
        assertThat(assertFault(Kind.MALFORMED, index, null, () -> Checkpoint.open(directory)))
                .hasMessage(index + ": JSON is not an object");
    }

    @Test
    void opensShardsByTheirIndex() throws IOException {
        shard(SHARD_1, "a");
        Files.createDirectory(directory.resolve("part"));
        shard("part/two.safetensors", "b", "not-in-the-index");
        index(Map.of("a", SHARD_1, "b", "part/two.safetensors"));
        shard("adapters.safetensors", "a");
        try (Checkpoint checkpoint = Checkpoint.open(directory)) {
            assertThat(checkpoint.tensors().keySet()).containsExactlyInAnyOrder("a", "b", "not-in-the-index");
            assertThat(checkpoint.tensor("b").file().path()).isEqualTo(directory.resolve("part/two.safetensors"));
            assertThat(Mappings.of(directory)).hasSizeBetween(0, 2);
        }
        Mappings.requireNone(directory);
    }

    @Test
    void opensNumberedShardsThatHaveNoIndex() {
        shard(SHARD_1, "a");
        shard(SHARD_2, "b");
        shard("consolidated.safetensors", "a", "b");
        assertTensors("a", "b");
    }

    @Test
    void aSingleFileThatTheIndexDoesNotNameWins() {
        shard("model.safetensors", "whole");
        index(Map.of("a", SHARD_1));
        assertTensors("whole");
    }

    @Test
    void anIndexOfTheSingleFileIsChecked() {
        shard("model.safetensors", "a");
        index(Map.of("a", "model.safetensors"));
        assertTensors("a");
        index(Map.of("a", "model.safetensors", "b", "model.safetensors"));
        assertRefused(Kind.MISSING_TENSOR, "model.safetensors", "b");
    }

    @Test
    void opensOneFileOfAnotherName() {
        shard("weights.safetensors", "a");
        shard("adapters.safetensors", "a");
        shard("adapter_model.safetensors", "a");
        shard("consolidated.00.safetensors", "a");
        shard("._weights.safetensors", "a");
        assertTensors("a");
    }

    @Test
    void opensGgufInADirectoryAndByItself() {
        Path file = new GgufBuilder()
                .string("general.architecture", "llama")
                .tensor("token_embd.weight", StoredType.F32, new byte[8], 2)
                .write(directory.resolve("Model.Q8_0.gguf"));
        new GgufBuilder().write(directory.resolve("mmproj-model.gguf"));
        for (Path path : List.of(directory, file)) {
            try (Checkpoint checkpoint = Checkpoint.open(path)) {
                assertThat(checkpoint.tensors().keySet()).containsExactly("token_embd.weight");
                assertThat(checkpoint.gguf().orElseThrow().string("general.architecture"))
                        .isEqualTo("llama");
            }
        }
        Mappings.requireNone(directory);
    }

    @Test
    void opensAFileOfShardsByItself() {
        shard(SHARD_1, "a");
        try (Checkpoint checkpoint = Checkpoint.open(directory.resolve(SHARD_1))) {
            assertThat(checkpoint.tensors()).containsOnlyKeys("a");
        }
    }

    @Test
    void followsSymbolicLinksAsDownloadCachesHaveThem(@TempDir Path blobs) throws IOException {
        new SafetensorsBuilder().tensor("a", "U8", List.of(1), new byte[1]).write(blobs.resolve("0123abcd"));
        Files.createSymbolicLink(directory.resolve(SHARD_1), blobs.resolve("0123abcd"));
        index(Map.of("a", SHARD_1));
        assertTensors("a");
    }

    @Test
    void refusesWhatHoldsNoWeights() {
        shard("adapters.safetensors", "a");
        assertThat(assertFault(Kind.NOT_FOUND, directory, null, () -> Checkpoint.open(directory)))
                .hasMessageContaining("holds no weights");
        Path missing = directory.resolve("nowhere");
        assertFault(Kind.NOT_FOUND, missing, null, () -> Checkpoint.open(missing));
        Path missingGguf = directory.resolve("nowhere.gguf");
        assertFault(Kind.NOT_FOUND, missingGguf, null, () -> Checkpoint.open(missingGguf));
        Path text = SafetensorsBuilder.write(directory.resolve("model.bin"), new byte[9]);
        assertFault(Kind.UNSUPPORTED_FORMAT, text, null, () -> Checkpoint.open(text));
    }

    @Test
    void refusesADirectoryInPlaceOfAFile() throws IOException {
        Files.createDirectory(directory.resolve("model.safetensors"));
        assertRefused(Kind.NOT_A_FILE, "model.safetensors", null);
    }

    @Test
    void refusesToGuessBetweenSeveralFiles() {
        shard("one.safetensors", "a");
        shard("two.safetensors", "b");
        assertThat(assertFault(Kind.AMBIGUOUS, directory, null, () -> Checkpoint.open(directory)))
                .hasMessageContaining("one.safetensors, two.safetensors");
    }

    @Test
    void refusesToGuessBetweenSeveralGgufFiles() {
        new GgufBuilder().write(directory.resolve("q4.gguf"));
        new GgufBuilder().write(directory.resolve("q8.gguf"));
        assertFault(Kind.AMBIGUOUS, directory, null, () -> Checkpoint.open(directory));
    }

    @Test
    void refusesASplitGguf() {
        new GgufBuilder()
                .key("split.count", GgufType.U16, part -> part.int16(3))
                .write(directory.resolve("model-00001-of-00003.gguf"));
        assertRefused(Kind.UNSUPPORTED_FORMAT, "model-00001-of-00003.gguf", "split.count");
    }

    @Test
    void refusesAMissingShard() {
        shard(SHARD_1, "a");
        index(Map.of("a", SHARD_1, "b", SHARD_2));
        assertRefused(Kind.MISSING_SHARD, SHARD_2, null);
    }

    @Test
    void refusesAMissingNumberedShard() {
        shard(SHARD_2, "b");
        assertRefused(Kind.MISSING_SHARD, SHARD_1, null);
    }

    @Test
    void namesTheDirectoryWhereNoShardHasATensor() {
        shard(SHARD_1, "a");
        shard(SHARD_2, "b");
        index(Map.of("a", SHARD_1, "b", SHARD_2));
        try (Checkpoint checkpoint = Checkpoint.open(directory)) {
            assertFault(Kind.MISSING_TENSOR, directory, "c", () -> checkpoint.tensor("c"));
        }
    }

    @Test
    void refusesATensorThatIsNotInItsShard() {
        shard(SHARD_1, "a", "b");
        shard(SHARD_2, "c");
        index(Map.of("a", SHARD_1, "b", SHARD_2, "c", SHARD_2));
        assertRefused(Kind.MISSING_TENSOR, SHARD_2, "b");
    }

    @Test
    void refusesATensorInTwoShards() {
        shard(SHARD_1, "a", "b");
        shard(SHARD_2, "b");
        index("{\"weight_map\":{\"a\":\"%s\",\"b\":\"%s\"}}".formatted(SHARD_1, SHARD_2));
        assertRefused(Kind.DUPLICATE, SHARD_2, "b");
    }

    @Test
    void refusesABrokenShardAndUnmapsTheOthers() {
        shard(SHARD_1, "a");
        SafetensorsBuilder.write(directory.resolve(SHARD_2), new byte[4]);
        index("{\"weight_map\":{\"a\":\"%s\",\"b\":\"%s\"}}".formatted(SHARD_1, SHARD_2));
        assertRefused(Kind.TRUNCATED, SHARD_2, null);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../outside.safetensors",
                "part/../../outside.safetensors",
                "/etc/outside.safetensors",
                "..",
                ".",
                "",
                "nul\\u0000.safetensors"
            })
    void refusesShardsOutsideTheDirectory(String shard) throws IOException {
        Path inner = Files.createDirectory(directory.resolve("inner"));
        shard("outside.safetensors", "a");
        SafetensorsBuilder.write(
                inner.resolve(INDEX),
                "{\"weight_map\":{\"a\":\"%s\"}}".formatted(shard).getBytes(StandardCharsets.UTF_8));
        assertFault(Kind.UNSAFE_PATH, inner.resolve(INDEX), "a", () -> Checkpoint.open(inner));
    }

    @ParameterizedTest
    @MethodSource("brokenIndexes")
    void refusesABrokenIndex(String json, Kind kind) {
        shard(SHARD_1, "a");
        index(json);
        CheckpointException thrown = assertFault(
                kind, directory.resolve(INDEX), kind == Kind.DUPLICATE ? "a" : null, () -> Checkpoint.open(directory));
        assertThat(thrown).hasMessageStartingWith(directory.resolve(INDEX) + ": ");
    }

    static Stream<Arguments> brokenIndexes() {
        return Map.of(
                        "",
                        Kind.TRUNCATED,
                        "nonsense",
                        Kind.MALFORMED,
                        "[]",
                        Kind.MALFORMED,
                        "{}",
                        Kind.MALFORMED,
                        "{\"weight_map\":{}}",
                        Kind.MALFORMED,
                        "{\"weight_map\":[]}",
                        Kind.MALFORMED,
                        "{\"weight_map\":" + "[".repeat(5000),
                        Kind.MALFORMED,
                        "{\"weight_map\":{\"a\":\"x.safetensors\",\"a\":\"y.safetensors\"}}",
                        Kind.DUPLICATE)
                .entrySet()
                .stream()
                .map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @Test
    void refusesAnIndexOfThousandsOfShards() {
        index(IntStream.range(0, 4097).boxed().collect(Collectors.toMap(i -> "t" + i, i -> i + ".safetensors")));
        assertThat(catchThrowableOfType(CheckpointException.class, () -> Checkpoint.open(directory))
                        .kind())
                .isEqualTo(Kind.TOO_LARGE);
    }

    @Test
    void twoSpellingsOfAShardAreOneShard() {
        shard(SHARD_1, "a", "b");
        index(Map.of("a", SHARD_1, "b", "./" + SHARD_1));
        assertTensors("a", "b");
    }

    @Test
    void namesUnexpectedTensorsOfTheModel() {
        assertThat(CheckpointException.unexpectedTensors(directory, List.of("x")))
                .hasMessage(directory + ": tensor 'x': is unknown to the model");
        assertThat(CheckpointException.unexpectedTensors(directory, List.of("x", "y", "3", "4", "5", "6", "7", "8")))
                .hasMessageEndingWith("is unknown to the model, as are 'y', '3', '4', '5', '6' and 2 more");
        assertThat(CheckpointException.wrongType(directory, "x", List.of(StoredType.F32, StoredType.F16), StoredType.I8)
                        .getMessage())
                .endsWith("tensor 'x': type I8, expected one of [F32, F16]");
    }

    static Stream<Path> referenceModels() throws IOException, URISyntaxException {
        Path models =
                Path.of(CheckpointTests.class.getResource("/reference/models").toURI());
        try (Stream<Path> directories = Files.list(models)) {
            return directories.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("referenceModels")
    void opensEveryReferenceModel(Path model) throws IOException {
        try (Checkpoint checkpoint = Checkpoint.open(model)) {
            long headers = 0;
            try (Stream<Path> files = Files.list(model)) {
                for (Path file : files.filter(file -> file.toString().endsWith(".safetensors"))
                        .toList()) {
                    headers += Files.size(file);
                }
            }
            assertThat(checkpoint.tensors()).hasSizeGreaterThan(10);
            assertThat(checkpoint.byteLength()).isBetween(headers / 2, headers);
            assertThat(checkpoint.metadata()).containsKey("format");
        }
        Mappings.requireNone(model);
    }

    private void shard(String name, String... tensors) {
        SafetensorsBuilder builder = new SafetensorsBuilder();
        for (String tensor : tensors) {
            builder.tensor(tensor, "U8", List.of(1), new byte[1]);
        }
        builder.write(directory.resolve(name));
    }

    private void index(Map<String, String> weightMap) {
        index(weightMap.entrySet().stream()
                .map(entry -> "\"%s\":\"%s\"".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(
                        ",", "{\"metadata\":{\"total_size\":1,\"more\":[{}]},\"weight_map\":{", "}}")));
    }

    private void index(String json) {
        SafetensorsBuilder.write(directory.resolve(INDEX), json.getBytes(StandardCharsets.UTF_8));
    }

    private void assertTensors(String... names) {
        try (Checkpoint checkpoint = Checkpoint.open(directory)) {
            assertThat(checkpoint.tensors()).containsOnlyKeys(names);
        }
        Mappings.requireNone(directory);
    }

    private void assertRefused(Kind kind, String file, @Nullable String subject) {
        assertFault(kind, directory.resolve(file), subject, () -> Checkpoint.open(directory));
        Mappings.requireNone(directory);
    }

    private static CheckpointException assertFault(
            Kind kind, Path file, @Nullable String subject, ThrowingCallable call) {
        CheckpointException thrown = catchThrowableOfType(CheckpointException.class, call);
        assertThat(thrown).isNotNull();
        assertThat(thrown.kind()).as(thrown.getMessage()).isEqualTo(kind);
        assertThat(thrown.file()).isEqualTo(file);
        assertThat(thrown.subject().orElse(null)).isEqualTo(subject);
        assertThat(thrown).hasMessageStartingWith(file + ": ");
        return thrown;
    }
}
