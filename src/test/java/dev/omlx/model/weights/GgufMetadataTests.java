package dev.omlx.model.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What metadata of each type is read as, and the errors where a key is absent or of another type. */
class GgufMetadataTests {
    @TempDir
    private Path directory;

    @Test
    void readsEveryTypeOfValue() {
        GgufBuilder builder = new GgufBuilder()
                .key("u8", GgufType.U8, part -> part.int8(200))
                .key("i8", GgufType.I8, part -> part.int8(-3))
                .key("u16", GgufType.U16, part -> part.int16(60_000))
                .key("i16", GgufType.I16, part -> part.int16(-300))
                .key("u32", GgufType.U32, part -> part.int32(-1))
                .key("i32", GgufType.I32, part -> part.int32(-70_000))
                .key("u64", GgufType.U64, part -> part.int64(1L << 40))
                .key("huge", GgufType.U64, part -> part.int64(-1))
                .key("i64", GgufType.I64, part -> part.int64(Long.MIN_VALUE))
                .key("f32", GgufType.F32, part -> part.float32(0.5f))
                .key("f64", GgufType.F64, part -> part.float64(1e-5))
                .key("yes", GgufType.BOOL, part -> part.int8(1))
                .string("text", "Grüße, 世界 🙂")
                .string("empty", "");
        try (GgufFile file = open(builder)) {
            GgufMetadata metadata = file.metadata();
            assertThat(metadata.keys()).startsWith("u8", "i8").hasSize(14);
            assertThat(metadata.intValue("u8")).isEqualTo(200);
            assertThat(metadata.intValue("i8")).isEqualTo(-3);
            assertThat(metadata.intValue("u16")).isEqualTo(60_000);
            assertThat(metadata.intValue("i16")).isEqualTo(-300);
            assertThat(metadata.longValue("u32")).isEqualTo(0xFFFFFFFFL);
            assertThat(metadata.intValue("i32")).isEqualTo(-70_000);
            assertThat(metadata.longValue("u64")).isEqualTo(1L << 40);
            assertThat(metadata.longValue("i64")).isEqualTo(Long.MIN_VALUE);
            assertThat(metadata.doubleValue("f32")).isEqualTo(0.5);
            assertThat(metadata.doubleValue("f64")).isEqualTo(1e-5);
            assertThat(metadata.doubleValue("i8")).isEqualTo(-3);
            assertThat(metadata.flag("yes")).isTrue();
            assertThat(metadata.string("text")).isEqualTo("Grüße, 世界 🙂");
            assertThat(metadata.string("empty")).isEmpty();
            assertWrong("huge", "18446744073709551615", () -> metadata.longValue("huge"));
            assertWrong("u32", "4294967295", () -> metadata.intValue("u32"));
            assertWrong("text", "not an integer", () -> metadata.longValue("text"));
            assertWrong("u8", "not a string", () -> metadata.findString("u8"));
            assertWrong("f32", "not a truth value", () -> metadata.flag("f32"));
            assertWrong("text", "not an array of strings", () -> metadata.strings("text"));
        }
    }

    @Test
    void readsEveryTypeOfArray() {
        GgufBuilder builder = new GgufBuilder()
                .array("texts", GgufType.STRING, 2, part -> part.string("a").string("bc"))
                .array("i32", GgufType.I32, 3, part -> part.int32(1).int32(-2).int32(3))
                .array("u16", GgufType.U16, 2, part -> part.int16(65_535).int16(0))
                .array("u64", GgufType.U64, 1, part -> part.int64(1L << 33))
                .array("f32", GgufType.F32, 2, part -> part.float32(0.25f).float32(-1))
                .array("f64", GgufType.F64, 1, part -> part.float64(2))
                .array("flags", GgufType.BOOL, 3, part -> part.int8(1).int8(0).int8(1))
                .array("none", GgufType.F32, 0, part -> {})
                .array(
                        "nested",
                        GgufType.ARRAY,
                        2,
                        part -> part.int32(0)
                                .int64(2)
                                .int8(1)
                                .int8(2)
                                .int32(GgufType.STRING.id())
                                .int64(1)
                                .string("x"))
                .string("last", "here");
        try (GgufFile file = open(builder)) {
            GgufMetadata metadata = file.metadata();
            assertThat(metadata.strings("texts")).containsExactly("a", "bc");
            assertThat(metadata.ints("i32")).containsExactly(1, -2, 3);
            assertThat(metadata.ints("u16")).containsExactly(65_535, 0);
            assertThat(metadata.longs("u64")).containsExactly(1L << 33);
            assertThat(metadata.floats("f32")).containsExactly(0.25f, -1f);
            assertThat(metadata.floats("f64")).containsExactly(2f);
            assertThat(metadata.floats("i32")).containsExactly(1f, -2f, 3f);
            assertThat(metadata.flags("flags")).containsExactly(true, false, true);
            assertThat(metadata.floats("none")).isEmpty();
            assertThat(metadata.isArray("nested")).isTrue();
            assertThat(metadata.isArray("last")).isFalse();
            assertThat(metadata.isArray("absent")).isFalse();
            assertThat(metadata.string("last")).isEqualTo("here");
            assertWrong("texts", "an array of 2 strings", () -> metadata.ints("texts"));
            assertWrong("u64", "not a 32-bit integer", () -> metadata.ints("u64"));
            assertWrong("f32", "an array of 2 F32", () -> metadata.intValue("f32"));
            assertWrong("nested", "an array of 2 arrays", () -> metadata.strings("nested"));
        }
    }

    @Test
    void absentKeysAreEmptyOrATypedError() {
        try (GgufFile file = open(new GgufBuilder().string("present", ""))) {
            GgufMetadata metadata = file.metadata();
            assertThat(metadata.findString("absent")).isEmpty();
            assertThat(metadata.findInt("absent")).isEmpty();
            assertThat(metadata.findLong("absent")).isEmpty();
            assertThat(metadata.findDouble("absent")).isEmpty();
            assertThat(metadata.findFlag("absent")).isEmpty();
            assertThat(metadata.findStrings("absent")).isEmpty();
            assertThat(metadata.findInts("absent")).isEmpty();
            assertThat(metadata.findFloats("absent")).isEmpty();
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> metadata.string("absent"),
                    () -> metadata.intValue("absent"),
                    () -> metadata.longValue("absent"),
                    () -> metadata.doubleValue("absent"),
                    () -> metadata.flag("absent"),
                    () -> metadata.strings("absent"),
                    () -> metadata.ints("absent"),
                    () -> metadata.longs("absent"),
                    () -> metadata.floats("absent"),
                    () -> metadata.flags("absent"))) {
                assertFault(Kind.MISSING_KEY, "absent", "is not in the metadata", call);
            }
        }
    }

    @Test
    void longTextsAndArraysCrossTheReadingWindow() {
        String text = "ä".repeat(100_000);
        GgufBuilder builder = new GgufBuilder()
                .string("text", text)
                .array("numbers", GgufType.I32, 50_000, part -> {
                    for (int i = 0; i < 50_000; i++) {
                        part.int32(i);
                    }
                })
                .array("texts", GgufType.STRING, 20_000, part -> {
                    for (int i = 0; i < 20_000; i++) {
                        part.string("token" + i);
                    }
                })
                .string("last", "here");
        try (GgufFile file = open(builder)) {
            assertThat(file.metadata().string("text")).isEqualTo(text);
            assertThat(file.metadata().ints("numbers")).hasSize(50_000).endsWith(49_999);
            assertThat(file.metadata().strings("texts")).hasSize(20_000).endsWith("token19999");
            assertThat(file.metadata().string("last")).isEqualTo("here");
        }
    }

    private GgufFile open(GgufBuilder builder) {
        return GgufFile.open(builder.write(directory.resolve("file.gguf")));
    }

    private static void assertWrong(String key, String fault, ThrowingCallable call) {
        assertFault(Kind.WRONG_VALUE, key, fault, call);
    }

    private static void assertFault(Kind kind, String key, String fault, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CheckpointException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining("file.gguf: key '" + key + "'")
                .hasMessageContaining(fault);
    }
}
