package dev.omlx.model.weights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Conversions against values that the reference implementations gave for the same bytes, bit for bit. */
class HostTensorsTests {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K"})
    void dequantisesAsTheReferenceDoes(StoredType type) throws IOException {
        byte[] blocks = resource(type, "blocks");
        float[] expected = floats(resource(type, "f32"));
        try (GgufFile file = file(type, blocks, 2)) {
            float[] actual = new float[expected.length];
            HostTensors.toFloat32(tensor(file), MemorySegment.ofArray(actual));
            assertSame(actual, expected, type.name());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"Q4_0", "Q4_1", "Q8_0"})
    void repacksAsMlxDoes(StoredType type) throws IOException {
        byte[] expected = resource(type, "affine");
        try (GgufFile file = file(type, resource(type, "blocks"), 2)) {
            AffineLayout layout =
                    AffineLayout.of(file.entry("t"), StoredType.F16).orElseThrow();
            assertThat(layout.bits()).isEqualTo(type == StoredType.Q8_0 ? 8 : 4);
            assertThat(layout.groupSize()).isEqualTo(32);
            assertThat(layout.weightShape()).containsExactly(2, 96 * layout.bits() / 32);
            assertThat(layout.scaleShape()).containsExactly(2, 3);
            byte[] actual = new byte[(int) (layout.weightBytes() + 2 * layout.scaleBytes())];
            repack(file, layout, actual);
            assertThat(actual).containsExactly(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"Q4_0", "Q4_1", "Q8_0"})
    void repackedTensorsStandForTheSameNumbers(StoredType type) {
        long seed = System.nanoTime();
        byte[] blocks = randomBlocks(type, 3000, new Random(seed));
        try (GgufFile file = file(type, blocks, 1)) {
            float[] expected = new float[3000 * 32];
            HostTensors.toFloat32(tensor(file), MemorySegment.ofArray(expected));
            AffineLayout layout =
                    AffineLayout.of(file.entry("t"), StoredType.F32).orElseThrow();
            byte[] packed = new byte[(int) (layout.weightBytes() + 2 * layout.scaleBytes())];
            repack(file, layout, packed);
            assertSame(withoutSignOfZero(unpack(packed, layout)), withoutSignOfZero(expected), "seed " + seed);
        }
    }

    @Test
    void convertsEveryHalfPrecisionNumber() {
        byte[] bytes = new byte[2 * 65_536];
        for (int i = 0; i < 65_536; i++) {
            bytes[2 * i] = (byte) i;
            bytes[2 * i + 1] = (byte) (i >> 8);
        }
        Path path = new SafetensorsBuilder()
                .tensor("f16", "F16", List.of(256, 256), bytes)
                .tensor("bf16", "BF16", List.of(65_536), bytes)
                .write(directory.resolve("half.safetensors"));
        float[] half = new float[65_536];
        int[] brain = new int[65_536];
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            HostTensors.toFloat32(new StoredTensor(file, file.entry("f16")), MemorySegment.ofArray(half));
            HostTensors.toFloat32(new StoredTensor(file, file.entry("bf16")), MemorySegment.ofArray(brain));
        }
        assertThat(half[0x3C00]).isEqualTo(1f);
        assertThat(half[0xFBFF]).isEqualTo(-65_504f);
        assertThat(half[0x0001]).isEqualTo(0x1p-24f);
        assertThat(half[0x7C00]).isEqualTo(Float.POSITIVE_INFINITY);
        assertThat(half[0x7E00]).isNaN();
        for (int i = 0; i < 65_536; i++) {
            assertThat(brain[i] == i << 16).as("bfloat16 " + i).isTrue();
            boolean same = Float.isNaN(half[i]) || Float.floatToFloat16(half[i]) == (short) i;
            assertThat(same).as("float16 " + i).isTrue();
        }
    }

    @Test
    void copiesFloat32IntoNativeMemory() {
        float[] values = {1, -2, 3.5f, Float.NaN};
        ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        Path path = new SafetensorsBuilder()
                .tensor("t", "F32", List.of(4), bytes.array())
                .write(directory.resolve("model.safetensors"));
        try (SafetensorsFile file = SafetensorsFile.open(path);
                Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(16, 4);
            HostTensors.toFloat32(tensor(file), target);
            assertThat(target.toArray(ValueLayout.JAVA_FLOAT)).containsExactly(values);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"Q4_1", "Q6_K"})
    void manyPiecesOnManyThreadsGiveTheSameAsOneBlockAfterTheOther(StoredType type) {
        long seed = System.nanoTime();
        int count = 300_000 / type.blockSize() + 7;
        byte[] blocks = randomBlocks(type, count, new Random(seed));
        float[] expected = new float[count * type.blockSize()];
        BlockDecoder.of(type).orElseThrow().decode(blocks, count, expected);
        try (GgufFile file = file(type, blocks, 1)) {
            float[] actual = new float[expected.length];
            HostTensors.toFloat32(tensor(file), MemorySegment.ofArray(actual));
            assertSame(actual, expected, "seed " + seed);
        }
    }

    @Test
    void anEmptyTensorIsNothingToDo() {
        Path path = new SafetensorsBuilder()
                .tensor("t", "F16", List.of(0, 7), new byte[0])
                .write(directory.resolve("model.safetensors"));
        try (SafetensorsFile file = SafetensorsFile.open(path)) {
            HostTensors.toFloat32(tensor(file), MemorySegment.ofArray(new float[0]));
        }
    }

    @Test
    void refusesTypesThatAreNoNumbersOfOurs() {
        try (GgufFile file = file(StoredType.IQ4_NL, new byte[18], 1)) {
            assertThat(HostTensors.canConvert(StoredType.IQ4_NL)).isFalse();
            assertThat(HostTensors.canConvert(StoredType.I32)).isFalse();
            assertThat(HostTensors.canConvert(StoredType.Q5_1)).isTrue();
            assertThat(AffineLayout.of(file.entry("t"), StoredType.F32)).isEmpty();
            assertThatThrownBy(() -> HostTensors.toFloat32(tensor(file), MemorySegment.ofArray(new float[32])))
                    .isInstanceOfSatisfying(
                            CheckpointException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNSUPPORTED_TYPE))
                    .hasMessageContaining("tensor 't': type IQ4_NL");
        }
    }

    @Test
    void refusesTargetsOfAnotherSizeOrOfOneThread() {
        try (GgufFile file = file(StoredType.Q8_0, new byte[34], 1);
                Arena confined = Arena.ofConfined()) {
            MemorySegment small = MemorySegment.ofArray(new float[31]);
            assertThatIllegalArgumentException().isThrownBy(() -> HostTensors.toFloat32(tensor(file), small));
            MemorySegment own = confined.allocate(128);
            assertThatIllegalArgumentException().isThrownBy(() -> HostTensors.toFloat32(tensor(file), own));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"Q4_1", "F16", "BF16", "F32"})
    void aFileCutMeanwhileIsATypedError(StoredType type) throws IOException {
        int count = 2_000_000 / type.blockSize();
        try (GgufFile file = file(type, new byte[count * type.blockBytes()], 1)) {
            try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
                channel.truncate(400_000);
            }
            MemorySegment target = MemorySegment.ofArray(new float[count * type.blockSize()]);
            assertThatThrownBy(() -> HostTensors.toFloat32(tensor(file), target))
                    .isInstanceOfSatisfying(
                            CheckpointException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED));
        }
    }

    private GgufFile file(StoredType type, byte[] blocks, int rows) {
        int elements = blocks.length / type.blockBytes() * type.blockSize();
        return GgufFile.open(new GgufBuilder()
                .tensor("t", type, blocks, elements / rows, rows)
                .write(directory.resolve("model.gguf")));
    }

    private static StoredTensor tensor(WeightFile file) {
        return new StoredTensor(file, file.entry("t"));
    }

    /** Repacks into one array: weight, scales, biases. */
    private static void repack(WeightFile file, AffineLayout layout, byte[] target) {
        MemorySegment all = MemorySegment.ofArray(target);
        HostTensors.toAffine(
                tensor(file),
                layout,
                all.asSlice(0, layout.weightBytes()),
                all.asSlice(layout.weightBytes(), layout.scaleBytes()),
                all.asSlice(layout.weightBytes() + layout.scaleBytes(), layout.scaleBytes()));
    }

    private static float[] unpack(byte[] packed, AffineLayout layout) {
        ByteBuffer in = ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
        int scales = (int) layout.weightBytes();
        int biases = (int) (scales + layout.scaleBytes());
        int perWord = 32 / layout.bits();
        float[] out = new float[scales / 4 * perWord];
        for (int i = 0; i < out.length; i++) {
            int q = in.getInt(i / perWord * 4) >>> (i % perWord * layout.bits()) & ((1 << layout.bits()) - 1);
            int group = i / layout.groupSize() * 4;
            out[i] = in.getFloat(scales + group) * q + in.getFloat(biases + group);
        }
        return out;
    }

    /** Random blocks whose scales are finite: every float16 of a block lies below the exponent of infinity. */
    private static byte[] randomBlocks(StoredType type, int count, Random random) {
        byte[] blocks = new byte[count * type.blockBytes()];
        random.nextBytes(blocks);
        for (int block = 0; block < count; block++) {
            int at = block * type.blockBytes() + (type == StoredType.Q6_K ? 208 : 0);
            for (int i = 0; i < (type == StoredType.Q4_1 ? 2 : 1); i++) {
                blocks[at + 2 * i + 1] &= 0x3F;
            }
        }
        return blocks;
    }

    private static void assertSame(float[] actual, float[] expected, String what) {
        assertThat(Arrays.mismatch(actual, expected))
                .as("first difference, " + what)
                .isEqualTo(-1);
    }

    /** The affine form cannot tell -0 from 0. */
    private static float[] withoutSignOfZero(float[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] += 0f;
        }
        return values;
    }

    private static byte[] resource(StoredType type, String suffix) throws IOException {
        String name = "/gguf/" + type.name().toLowerCase(Locale.ROOT) + "." + suffix;
        try (InputStream in = HostTensorsTests.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private static float[] floats(byte[] bytes) {
        float[] floats = new float[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(floats);
        return floats;
    }
}
