package dev.omlx.model.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read from good safetensors files, and that every kind of broken one is refused. */
class SafetensorsFileTests {
    private static final String A = "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}";

    @TempDir
    private Path directory;

    /** Loads the classes, so that the time limits below measure the reading. */
    @BeforeAll
    static void warmUp(@TempDir Path directory) {
        SafetensorsFile.open(SafetensorsBuilder.write(
                        directory.resolve("warm.safetensors"), SafetensorsBuilder.file("{" + A + "}", 8)))
                .close();
    }

    @Test
    void readsEntriesInTheOrderOfTheHeader() {
        Path path = new SafetensorsBuilder()
                .metadata("format", "mlx")
                .tensor("z", "F32", List.of(2, 1), new byte[] {0, 0, (byte) 0x80, 0x3F, 0, 0, 0, 0x40})
                .tensor("a", "U8", List.of(3), new byte[] {1, 2, 3})
                .tensor("scalar", "BF16", List.of(), new byte[2])
                .tensor("empty", "I64", List.of(4, 0), new byte[0])
                .write(directory.resolve("model.safetensors"));
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            assertThat(file.path()).isEqualTo(path);
            assertThat(file.metadata()).containsExactly(Map.entry("format", "mlx"));
            assertThat(file.entries().keySet()).containsExactly("z", "a", "scalar", "empty");
            TensorEntry z = file.entry("z");
            assertThat(z.type()).isEqualTo(StoredType.F32);
            assertThat(z.shape()).containsExactly(2, 1);
            assertThat(z.dims()).containsExactly(2, 1);
            assertThat(z.rows()).isEqualTo(2);
            assertThat(z.rowLength()).isEqualTo(1);
            MemorySegment data = file.data(z);
            assertThat(data.isReadOnly()).isTrue();
            assertThat(data.toArray(ValueLayout.JAVA_FLOAT_UNALIGNED)).containsExactly(1f, 2f);
            byte[] copy = new byte[3];
            file.copyTo(file.entry("a"), MemorySegment.ofArray(copy));
            assertThat(copy).containsExactly(1, 2, 3);
            assertThat(file.entry("scalar").elementCount()).isEqualTo(1);
            assertThat(file.entry("empty").byteLength()).isZero();
            assertThat(file.data(file.entry("empty")).byteSize()).isZero();
        }
    }

    @Test
    void takesOffsetsInAnyOrderPaddingAfterTheHeaderAndUnknownFields() {
        String header =
                "{\"b\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[8,12],\"more\":{\"x\":[1]}}," + A + "}   ";
        try (SafetensorsFile file = open(SafetensorsBuilder.file(header, 12))) {
            assertThat(file.entries().keySet()).containsExactly("b", "a");
            assertThat(file.metadata()).isEmpty();
        }
    }

    /** As MLX writes it where nothing was given to say. */
    @Test
    void takesNullForNoMetadata() {
        try (SafetensorsFile file = open(SafetensorsBuilder.file("{\"__metadata__\":null," + A + "}", 8))) {
            assertThat(file.metadata()).isEmpty();
            assertThat(file.entries()).containsOnlyKeys("a");
        }
    }

    @Test
    void takesAFileWithoutTensors() {
        try (SafetensorsFile file = open(SafetensorsBuilder.file("{}", 0))) {
            assertThat(file.entries()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8", "BOOL", "C64",
                "F8_E4M3", "F8_E5M2", "F8_E8M0"
            })
    void knowsEveryPlainType(StoredType type) {
        byte[] bytes = new SafetensorsBuilder()
                .tensor("t", type.name(), List.of(3, 2), new byte[6 * type.blockBytes()])
                .build();
        try (SafetensorsFile file = open(bytes)) {
            assertThat(file.entry("t").type()).isEqualTo(type);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenFiles")
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void refuses(BrokenFile broken) {
        broken.requireRefused(directory.resolve("broken.safetensors"), SafetensorsFile::open);
    }

    static Stream<BrokenFile> brokenFiles() {
        return Stream.of(brokenFraming(), brokenHeaders(), brokenDescriptions(), brokenPlaces())
                .flatMap(cases -> cases);
    }

    private static Stream<BrokenFile> brokenFraming() {
        byte[] none = {};
        byte[] valid = SafetensorsBuilder.file("{" + A + "}", 8);
        byte[] header = ("{" + A + "}").getBytes(StandardCharsets.UTF_8);
        return Stream.of(
                file("empty file", Kind.TRUNCATED, null, none),
                file("seven bytes", Kind.TRUNCATED, null, new byte[7]),
                file("header length only", Kind.TRUNCATED, null, Arrays.copyOf(valid, 8)),
                file("cut in the header", Kind.TRUNCATED, null, Arrays.copyOf(valid, 20)),
                file("cut in the data", Kind.TRUNCATED, "a", Arrays.copyOf(valid, valid.length - 1)),
                file("cut before the data", Kind.TRUNCATED, "a", Arrays.copyOf(valid, valid.length - 8)),
                file("header length zero", Kind.MALFORMED, null, SafetensorsBuilder.file(0, header, none)),
                file("header length negative", Kind.TOO_LARGE, null, SafetensorsBuilder.file(-1, header, none)),
                file("header length 2^62", Kind.TOO_LARGE, null, SafetensorsBuilder.file(1L << 62, header, none)),
                file(
                        "header above the limit",
                        Kind.TOO_LARGE,
                        null,
                        SafetensorsBuilder.file(100_000_001, header, none)),
                file(
                        "header of 100 MB claimed",
                        Kind.TRUNCATED,
                        null,
                        SafetensorsBuilder.file(100_000_000, header, none)),
                file(
                        "header one byte longer than the file",
                        Kind.TRUNCATED,
                        null,
                        SafetensorsBuilder.file(header.length + 9L, header, new byte[8])),
                file(
                        "header one byte too short",
                        Kind.MALFORMED,
                        null,
                        SafetensorsBuilder.file(header.length - 1L, header, new byte[8])),
                file(
                        "header reaching into the data",
                        Kind.TRUNCATED,
                        "a",
                        SafetensorsBuilder.file(header.length + 4L, header, new byte[8])));
    }

    private static Stream<BrokenFile> brokenHeaders() {
        String deep = "[".repeat(5000);
        byte[] invalidText =
                "{\"a?\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}".getBytes(StandardCharsets.UTF_8);
        invalidText[3] = (byte) 0xC0;
        return Stream.of(
                header("not JSON", Kind.MALFORMED, null, "hello", 0),
                header("leading space", Kind.MALFORMED, null, " {}", 0),
                header("an array", Kind.MALFORMED, null, "[]", 0),
                header("unclosed object", Kind.MALFORMED, null, "{" + A, 8),
                header("two objects", Kind.MALFORMED, null, "{} {}", 0),
                header("a comma too many", Kind.MALFORMED, null, "{" + A + ",}", 8),
                header("deep nesting", Kind.MALFORMED, null, "{\"__metadata__\":" + deep, 0),
                header("deep nesting in a tensor", Kind.MALFORMED, "a", "{\"a\":{\"x\":" + deep, 0),
                header("very long number", Kind.MALFORMED, "a", "{\"a\":{\"shape\":[" + "9".repeat(5000) + "]}}", 0),
                file(
                        "invalid UTF-8",
                        Kind.INVALID_UTF8,
                        null,
                        SafetensorsBuilder.file(invalidText.length, invalidText, new byte[1])),
                header("metadata is a list", Kind.MALFORMED, null, "{\"__metadata__\":[]}", 0),
                header("metadata value is a number", Kind.MALFORMED, null, "{\"__metadata__\":{\"k\":1}}", 0),
                header(
                        "metadata twice",
                        Kind.DUPLICATE,
                        "__metadata__",
                        "{\"__metadata__\":{},\"__metadata__\":{}}",
                        0),
                header("metadata key twice", Kind.DUPLICATE, "k", "{\"__metadata__\":{\"k\":\"1\",\"k\":\"2\"}}", 0),
                header("tensor twice", Kind.DUPLICATE, "a", "{" + A + "," + A + "}", 8));
    }

    private static Stream<BrokenFile> brokenDescriptions() {
        return Stream.of(
                header("tensor is a number", Kind.MALFORMED, "a", "{\"a\":1}", 0),
                header("tensor is null", Kind.MALFORMED, "a", "{\"a\":null}", 0),
                header("no dtype", Kind.MALFORMED, "a", "{\"a\":{\"shape\":[2],\"data_offsets\":[0,8]}}", 8),
                header("no shape", Kind.MALFORMED, "a", "{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8),
                header("no offsets", Kind.MALFORMED, "a", "{\"a\":{\"dtype\":\"F32\",\"shape\":[2]}}", 8),
                header(
                        "dtype twice",
                        Kind.DUPLICATE,
                        "a",
                        "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,8]}}",
                        8),
                tensor("unknown dtype", Kind.UNKNOWN_TYPE, "\"F33\"", "[2]", "[0,8]", 8),
                tensor("GGUF's dtype", Kind.UNKNOWN_TYPE, "\"Q4_0\"", "[32]", "[0,18]", 18),
                tensor("dtype is a number", Kind.MALFORMED, "1", "[2]", "[0,8]", 8),
                tensor("shape is a number", Kind.MALFORMED, "\"F32\"", "2", "[0,8]", 8),
                tensor("dimension is a string", Kind.MALFORMED, "\"F32\"", "[\"2\"]", "[0,8]", 8),
                tensor("dimension is a fraction", Kind.MALFORMED, "\"F32\"", "[2.0]", "[0,8]", 8),
                tensor("dimension is negative", Kind.BAD_SHAPE, "\"F32\"", "[-2]", "[0,8]", 8),
                tensor("two negative dimensions", Kind.BAD_SHAPE, "\"F32\"", "[-2,-1]", "[0,8]", 8),
                tensor("dimension of 2^31", Kind.BAD_SHAPE, "\"F32\"", "[2147483648]", "[0,8]", 8),
                tensor("dimension beyond 64 bits", Kind.BAD_SHAPE, "\"F32\"", "[18446744073709551617]", "[0,8]", 8),
                tensor("nine dimensions", Kind.BAD_SHAPE, "\"F32\"", "[1,1,1,1,1,1,1,1,2]", "[0,8]", 8),
                tensor(
                        "product overflows to the length",
                        Kind.BAD_SHAPE,
                        "\"U8\"",
                        "[1073741824,1073741824,16]",
                        "[0,0]",
                        0),
                tensor("offsets are a number", Kind.MALFORMED, "\"F32\"", "[2]", "8", 8),
                tensor("one offset", Kind.MALFORMED, "\"F32\"", "[2]", "[0]", 8),
                tensor("three offsets", Kind.MALFORMED, "\"F32\"", "[2]", "[0,8,8]", 8),
                tensor("offset is a fraction", Kind.MALFORMED, "\"F32\"", "[2]", "[0,8.0]", 8));
    }

    private static Stream<BrokenFile> brokenPlaces() {
        return Stream.of(
                tensor("offset is negative", Kind.BAD_OFFSETS, "\"F32\"", "[2]", "[-8,0]", 8),
                tensor("offsets are reversed", Kind.BAD_OFFSETS, "\"F32\"", "[2]", "[8,0]", 8),
                tensor("offset beyond 64 bits", Kind.BAD_OFFSETS, "\"F32\"", "[2]", "[0,18446744073709551624]", 8),
                tensor("end beyond the file", Kind.TRUNCATED, "\"F32\"", "[2]", "[0,9]", 8),
                tensor(
                        "range near 2^63",
                        Kind.TRUNCATED,
                        "\"F32\"",
                        "[2]",
                        "[9223372036854775799,9223372036854775807]",
                        8),
                tensor("range too short", Kind.LENGTH_MISMATCH, "\"F32\"", "[2]", "[0,4]", 8),
                tensor("range too long", Kind.LENGTH_MISMATCH, "\"F32\"", "[1]", "[0,8]", 8),
                tensor("a hole before the first", Kind.GAP, "\"F32\"", "[2]", "[4,12]", 12),
                header("bytes after the last", Kind.GAP, null, "{" + A + "}", 9),
                header("bytes and no tensor", Kind.GAP, null, "{}", 1),
                header(
                        "a hole between two",
                        Kind.GAP,
                        "b",
                        "{" + A + ",\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[9,10]}}",
                        10),
                header(
                        "the same range twice",
                        Kind.OVERLAP,
                        "b",
                        "{" + A + ",\"b\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}",
                        8),
                header(
                        "ranges share a byte",
                        Kind.OVERLAP,
                        "b",
                        "{" + A + ",\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[7,9]}}",
                        9),
                header(
                        "an empty tensor inside another",
                        Kind.OVERLAP,
                        "b",
                        "{" + A + ",\"b\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[4,4]}}",
                        8));
    }

    @Test
    void refusesMoreTensorsThanTheLimitAllows() {
        String header = IntStream.rangeClosed(0, 1 << 18)
                .mapToObj(i -> "\"" + i + "\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}")
                .collect(Collectors.joining(",", "{", "}"));
        Path path = directory.resolve("large.safetensors");
        SafetensorsBuilder.write(path, SafetensorsBuilder.file(header, 0));
        assertKind(Kind.TOO_LARGE, path);
    }

    @Test
    void messagesStayOnOneLineWhateverTheNames() {
        String name = "evil\\nname\\u001b[2J\\u202e" + "x".repeat(1000);
        byte[] bytes = SafetensorsBuilder.file("{\"" + name + "\":1}", 0);
        assertThatThrownBy(() -> open(bytes))
                .isInstanceOf(CheckpointException.class)
                .message()
                .contains("evil\\u000aname\\u001b[2J\\u202e")
                .doesNotContainPattern("\\p{Cntrl}|\u202e")
                .hasSizeLessThan(600);
    }

    @Test
    void refusesWhatIsNotARegularFile() throws IOException {
        assertKind(Kind.NOT_A_FILE, directory);
        assertKind(Kind.NOT_FOUND, directory.resolve("missing.safetensors"));
        Path loop = directory.resolve("loop.safetensors");
        assertKind(Kind.UNREADABLE, Files.createSymbolicLink(loop, loop));
        if (Files.exists(Path.of("/dev/null"))) {
            assertKind(Kind.NOT_A_FILE, Path.of("/dev/null"));
        }
    }

    @Test
    void copyingFromATruncatedFileIsATypedError() throws IOException {
        int elements = 1 << 20;
        Path path = new SafetensorsBuilder()
                .tensor("big", "F32", List.of(elements), new byte[elements * 4])
                .write(directory.resolve("cut.safetensors"));
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            TensorEntry big = file.entry("big");
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(big.offset() + 100_000);
            }
            MemorySegment target = MemorySegment.ofArray(new float[elements]);
            assertThatThrownBy(() -> file.copyTo(big, target))
                    .isInstanceOfSatisfying(
                            CheckpointException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED))
                    .hasMessageContaining("cut.safetensors");
        }
    }

    @Test
    void entriesOfOtherFilesAndWrongTargetsAreRefused() {
        byte[] bytes = SafetensorsBuilder.file("{" + A + "}", 8);
        try (SafetensorsFile file = open(bytes)) {
            TensorEntry foreign = new TensorEntry("b", StoredType.F32, List.of(2), 0, 8);
            assertThatIllegalArgumentException().isThrownBy(() -> file.data(foreign));
            MemorySegment small = MemorySegment.ofArray(new byte[7]);
            assertThatIllegalArgumentException().isThrownBy(() -> file.copyTo(file.entry("a"), small));
        }
    }

    @Test
    void closingUnmapsAndMayBeRepeated() {
        SafetensorsFile file = open(SafetensorsBuilder.file("{" + A + "}", 8));
        TensorEntry entry = file.entry("a");
        MemorySegment data = file.data(entry);
        file.close();
        file.close();
        Mappings.requireNone(file.path());
        assertThatIllegalStateException().isThrownBy(() -> data.get(ValueLayout.JAVA_BYTE, 0));
        assertThatIllegalStateException().isThrownBy(() -> file.data(entry));
    }

    private SafetensorsFile open(byte[] bytes) {
        return SafetensorsFile.open(SafetensorsBuilder.write(directory.resolve("file.safetensors"), bytes));
    }

    private static void assertKind(Kind kind, Path path) {
        assertThatThrownBy(() -> SafetensorsFile.open(path))
                .isInstanceOfSatisfying(
                        CheckpointException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageStartingWith(path + ": ");
    }

    private static BrokenFile file(String name, Kind kind, @Nullable String subject, byte[] bytes) {
        return new BrokenFile(name, kind, subject, bytes);
    }

    private static BrokenFile header(String name, Kind kind, @Nullable String subject, String header, int data) {
        return file(name, kind, subject, SafetensorsBuilder.file(header, data));
    }

    /** A file with one tensor {@code a} of that description. */
    private static BrokenFile tensor(String name, Kind kind, String dtype, String shape, String offsets, int data) {
        String header = "{\"a\":{\"dtype\":%s,\"shape\":%s,\"data_offsets\":%s}}".formatted(dtype, shape, offsets);
        return header(name, kind, "a", header, data);
    }
}
