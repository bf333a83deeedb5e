package dev.omlx.model.weights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.model.weights.CheckpointException.Kind;
import dev.omlx.model.weights.GgufBuilder.Part;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is read from good GGUF files, and that every kind of broken one is refused. */
class GgufFileTests {
    @TempDir
    private Path directory;

    /** Loads the classes, so that the time limits below measure the reading. */
    @BeforeAll
    static void warmUp(@TempDir Path directory) {
        GgufFile.open(valid().write(directory.resolve("warm.gguf"))).close();
    }

    @Test
    void readsTensorsWithTheirShapesReversed() {
        try (GgufFile file = open(valid())) {
            assertThat(file.version()).isEqualTo(3);
            assertThat(file.alignment()).isEqualTo(32);
            assertThat(file.entries().keySet()).containsExactly("blk.0.weight", "norm");
            TensorEntry weight = file.entry("blk.0.weight");
            assertThat(weight.type()).isEqualTo(StoredType.Q4_1);
            assertThat(weight.shape()).containsExactly(3, 64);
            assertThat(weight.byteLength()).isEqualTo(3 * 2 * 20);
            assertThat(weight.offset() % 32).isZero();
            assertThat(file.data(weight).get(ValueLayout.JAVA_BYTE, 5)).isEqualTo((byte) 5);
            assertThat(file.entry("norm").shape()).containsExactly(4);
        }
    }

    @Test
    void takesVersionTwoOtherAlignmentsAndAMissingFinalPadding() {
        GgufBuilder builder = new GgufBuilder()
                .version(2)
                .alignment(64)
                .tensor("a", StoredType.F16, new byte[6], 3)
                .tensor("b", StoredType.I8, new byte[1], 1, 1, 1);
        try (GgufFile file = open(builder)) {
            assertThat(file.version()).isEqualTo(2);
            assertThat(file.alignment()).isEqualTo(64);
            assertThat(file.entry("b").offset() % 64).isZero();
            assertThat(file.entry("b").shape()).containsExactly(1, 1, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void knowsTheBytesOfEveryType(StoredType type) {
        if (Stream.of("U64", "U32", "U16", "U8", "BOOL", "C64", "F8_E4M3", "F8_E5M2", "F8_E8M0")
                .anyMatch(type.name()::equals)) {
            return; // safetensors alone has these
        }
        GgufBuilder builder = new GgufBuilder().tensor("t", type, new byte[2 * type.blockBytes()], type.blockSize(), 2);
        try (GgufFile file = open(builder)) {
            assertThat(file.entry("t").type()).isEqualTo(type);
            assertThat(file.entry("t").shape()).containsExactly(2, type.blockSize());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenFiles")
    @Timeout(value = 30, unit = TimeUnit.SECONDS)
    void refuses(BrokenFile broken) {
        broken.requireRefused(directory.resolve("broken.gguf"), GgufFile::open);
    }

    static Stream<BrokenFile> brokenFiles() {
        return Stream.of(brokenFraming(), brokenMetadata(), brokenArrays(), brokenTensors())
                .flatMap(cases -> cases);
    }

    private static Stream<BrokenFile> brokenFraming() {
        byte[] valid = valid().build();
        return Stream.of(
                file("empty file", Kind.TRUNCATED, null, new byte[0]),
                file("three bytes", Kind.TRUNCATED, null, Arrays.copyOf(valid, 3)),
                file("cut in the version", Kind.TRUNCATED, null, Arrays.copyOf(valid, 6)),
                file("cut in the tensor count", Kind.TRUNCATED, null, Arrays.copyOf(valid, 12)),
                file("cut in the key count", Kind.TRUNCATED, null, Arrays.copyOf(valid, 20)),
                file("cut before the keys", Kind.TRUNCATED, null, Arrays.copyOf(valid, 24)),
                file("cut in the data", Kind.TRUNCATED, "norm", Arrays.copyOf(valid, valid.length - 1)),
                file(
                        "another magic",
                        Kind.UNSUPPORTED_FORMAT,
                        null,
                        new GgufBuilder().magic(0x4C4D4747).build()),
                file(
                        "big-endian",
                        Kind.UNSUPPORTED_FORMAT,
                        null,
                        new GgufBuilder().version(3 << 24).build()),
                file(
                        "version 0",
                        Kind.UNSUPPORTED_FORMAT,
                        null,
                        new GgufBuilder().version(0).build()),
                file(
                        "version 1",
                        Kind.UNSUPPORTED_FORMAT,
                        null,
                        new GgufBuilder().version(1).build()),
                file(
                        "version 4",
                        Kind.UNSUPPORTED_FORMAT,
                        null,
                        new GgufBuilder().version(4).build()),
                file(
                        "2^40 keys",
                        Kind.TRUNCATED,
                        null,
                        valid().keyCount(1L << 40).build()),
                file("-1 keys", Kind.TRUNCATED, null, valid().keyCount(-1).build()),
                file(
                        "2^40 tensors",
                        Kind.TRUNCATED,
                        null,
                        valid().tensorCount(1L << 40).build()),
                file(
                        "2^63 tensors",
                        Kind.TRUNCATED,
                        null,
                        valid().tensorCount(Long.MIN_VALUE).build()),
                file(
                        "one key too many",
                        Kind.MALFORMED,
                        "#1",
                        new GgufBuilder()
                                .string("k", "v".repeat(30))
                                .keyCount(2)
                                .build()));
    }

    private static Stream<BrokenFile> brokenMetadata() {
        byte[] bad = {'a', (byte) 0xFF};
        return Stream.of(
                keys("key name longer than the file", Kind.TRUNCATED, "#0", part -> part.int64(1000)),
                keys("key name of negative length", Kind.TRUNCATED, "#0", part -> part.int64(-1)),
                keys("key name of 70,000 bytes", Kind.TOO_LARGE, "#0", part -> part.string("x".repeat(70_000))),
                keys(
                        "key name not UTF-8",
                        Kind.INVALID_UTF8,
                        "#0",
                        part -> part.int64(2).bytes(bad).int32(0).int8(0)),
                key("unknown value type", Kind.UNKNOWN_TYPE, 13, part -> part.int64(0)),
                key("value type 2^31", Kind.UNKNOWN_TYPE, Integer.MIN_VALUE, part -> part.int64(0)),
                key("value cut", Kind.TRUNCATED, GgufType.I64.id(), part -> part.int8(1)),
                key("string longer than the file", Kind.TRUNCATED, GgufType.STRING.id(), part -> part.int64(1L << 50)),
                key("string of negative length", Kind.TRUNCATED, GgufType.STRING.id(), part -> part.int64(-5)),
                key(
                        "string not UTF-8",
                        Kind.INVALID_UTF8,
                        GgufType.STRING.id(),
                        part -> part.int64(2).bytes(bad)),
                key("truth value 2", Kind.MALFORMED, GgufType.BOOL.id(), part -> part.int8(2)),
                file(
                        "key twice",
                        Kind.DUPLICATE,
                        "k",
                        new GgufBuilder().string("k", "1").string("k", "2").build()),
                file(
                        "alignment 0",
                        Kind.BAD_ALIGNMENT,
                        "general.alignment",
                        new GgufBuilder().alignment(0).build()),
                file(
                        "alignment 48",
                        Kind.BAD_ALIGNMENT,
                        "general.alignment",
                        new GgufBuilder().alignment(48).build()),
                file(
                        "alignment 2^31",
                        Kind.BAD_ALIGNMENT,
                        "general.alignment",
                        new GgufBuilder().alignment(Integer.MIN_VALUE).build()),
                file(
                        "alignment is a string",
                        Kind.WRONG_VALUE,
                        "general.alignment",
                        new GgufBuilder().string("general.alignment", "32").build()));
    }

    private static Stream<BrokenFile> brokenArrays() {
        Consumer<Part> deep = part -> {
            for (int i = 0; i < 1000; i++) {
                part.int32(GgufType.ARRAY.id()).int64(1);
            }
        };
        return Stream.of(
                key("array type cut", Kind.TRUNCATED, GgufType.ARRAY.id(), part -> part.int8(1)),
                array(
                        "array of unknown type",
                        Kind.UNKNOWN_TYPE,
                        part -> part.int32(99).int64(0)),
                array(
                        "2^60 numbers",
                        Kind.TRUNCATED,
                        part -> part.int32(GgufType.I64.id()).int64(1L << 60)),
                array(
                        "-1 numbers",
                        Kind.TRUNCATED,
                        part -> part.int32(GgufType.U8.id()).int64(-1)),
                array(
                        "2^60 strings",
                        Kind.TRUNCATED,
                        part -> part.int32(GgufType.STRING.id()).int64(1L << 60)),
                array(
                        "one number too many",
                        Kind.TRUNCATED,
                        part -> part.int32(GgufType.I64.id()).int64(30).bytes(new byte[239])),
                array(
                        "string in an array too long",
                        Kind.TRUNCATED,
                        part -> part.int32(GgufType.STRING.id()).int64(1).int64(99)),
                array(
                        "2^40 arrays",
                        Kind.TRUNCATED,
                        part -> part.int32(GgufType.ARRAY.id()).int64(1L << 40)),
                array("arrays a thousand deep", Kind.TOO_LARGE, deep),
                array(
                        "truth value 7 in an array",
                        Kind.MALFORMED,
                        part -> part.int32(GgufType.BOOL.id()).int64(1).int8(7)));
    }

    private static Stream<BrokenFile> brokenTensors() {
        int f32 = GgufBuilder.typeId(StoredType.F32);
        int q4 = GgufBuilder.typeId(StoredType.Q4_0);
        return Stream.of(
                file(
                        "tensor name too long",
                        Kind.TRUNCATED,
                        "#0",
                        new GgufBuilder()
                                .tensors(part -> part.int64(1 << 20))
                                .data(64)
                                .build()),
                file(
                        "cut in the dimensions",
                        Kind.TRUNCATED,
                        "t",
                        new GgufBuilder()
                                .alignment(1)
                                .tensors(part ->
                                        part.string("t").int32(2).int64(1).int64(1))
                                .build()),
                file(
                        "nine dimensions",
                        Kind.BAD_SHAPE,
                        "t",
                        new GgufBuilder()
                                .describe("t", f32, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1)
                                .build()),
                file(
                        "2^32 - 1 dimensions",
                        Kind.BAD_SHAPE,
                        "t",
                        new GgufBuilder()
                                .tensors(part -> part.string("t").int32(-1))
                                .data(64)
                                .build()),
                tensor("dimension negative", Kind.BAD_SHAPE, f32, 0, -4),
                tensor("dimension of 2^31", Kind.BAD_SHAPE, f32, 0, 1L << 31),
                tensor("product overflows", Kind.BAD_SHAPE, f32, 0, 1 << 30, 1 << 30, 1 << 30),
                tensor("bytes overflow", Kind.BAD_SHAPE, f32, 0, 1 << 30, 1 << 30, 4),
                tensor("rows are no whole blocks", Kind.BAD_SHAPE, q4, 0, 33),
                tensor("a scalar of a block type", Kind.BAD_SHAPE, q4, 0),
                tensor("unknown element type", Kind.UNKNOWN_TYPE, 99, 0, 4),
                tensor("removed element type", Kind.UNKNOWN_TYPE, 4, 0, 32),
                tensor("element type negative", Kind.UNKNOWN_TYPE, -1, 0, 4),
                tensor("offset negative", Kind.BAD_OFFSETS, f32, -32, 4),
                tensor("offset not aligned", Kind.BAD_ALIGNMENT, f32, 4, 4),
                tensor("offset beyond the file", Kind.TRUNCATED, f32, 1 << 20, 4),
                tensor("offset near 2^63", Kind.TRUNCATED, f32, Long.MAX_VALUE & -32, 4),
                tensor("data beyond the file", Kind.TRUNCATED, f32, 0, 1000),
                file(
                        "tensor twice",
                        Kind.DUPLICATE,
                        "t",
                        new GgufBuilder()
                                .describe("t", f32, 0, 4)
                                .describe("t", f32, 32, 4)
                                .data(64)
                                .build()),
                file(
                        "tensors share bytes",
                        Kind.OVERLAP,
                        "u",
                        new GgufBuilder()
                                .describe("t", f32, 0, 16)
                                .describe("u", f32, 32, 4)
                                .data(64)
                                .build()),
                file(
                        "the same bytes twice",
                        Kind.OVERLAP,
                        "u",
                        new GgufBuilder()
                                .describe("t", f32, 0, 4)
                                .describe("u", f32, 0, 4)
                                .data(64)
                                .build()));
    }

    @Test
    void refusesMoreThanTheLimitsAllow() {
        Path path = directory.resolve("large.gguf");
        new BrokenFile(
                        "300,000 tensors",
                        Kind.TOO_LARGE,
                        null,
                        new GgufBuilder()
                                .tensorCount(300_000)
                                .data(24 * 300_000)
                                .build())
                .requireRefused(path, GgufFile::open);
        int strings = (1 << 22) + 1;
        new BrokenFile(
                        "four million strings",
                        Kind.TOO_LARGE,
                        "k",
                        new GgufBuilder()
                                .array("k", GgufType.STRING, strings, part -> part.bytes(new byte[8 * strings]))
                                .build())
                .requireRefused(path, GgufFile::open);
    }

    private GgufFile open(GgufBuilder builder) {
        return GgufFile.open(builder.write(directory.resolve("file.gguf")));
    }

    private static GgufBuilder valid() {
        byte[] weight = new byte[3 * 2 * 20];
        for (int i = 0; i < weight.length; i++) {
            weight[i] = (byte) i;
        }
        return new GgufBuilder()
                .string("general.architecture", "llama")
                .tensor("blk.0.weight", StoredType.Q4_1, weight, 64, 3)
                .tensor("norm", StoredType.F32, new byte[16], 4);
    }

    private static BrokenFile file(String name, Kind kind, @Nullable String subject, byte[] bytes) {
        return new BrokenFile(name, kind, subject, bytes);
    }

    private static BrokenFile keys(String name, Kind kind, String subject, Consumer<Part> raw) {
        return file(name, kind, subject, new GgufBuilder().keys(raw).data(64).build());
    }

    private static BrokenFile key(String name, Kind kind, int type, Consumer<Part> value) {
        return file(
                name,
                kind,
                "k",
                new GgufBuilder().alignment(1).key("k", type, value).build());
    }

    private static BrokenFile array(String name, Kind kind, Consumer<Part> value) {
        return key(name, kind, GgufType.ARRAY.id(), value);
    }

    /** A file with 64 bytes of data and one tensor {@code t} of that description. */
    private static BrokenFile tensor(String name, Kind kind, int type, long offset, long... dims) {
        return file(
                name,
                kind,
                "t",
                new GgufBuilder().describe("t", type, offset, dims).data(64).build());
    }
}
