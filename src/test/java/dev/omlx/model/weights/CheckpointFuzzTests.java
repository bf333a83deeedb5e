package dev.omlx.model.weights;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random damage to small files: whatever it is, the file opens with every tensor inside it, or is refused by a {@link
 * CheckpointException}, without much memory and without staying mapped.
 */
class CheckpointFuzzTests {
    private static final int MUTATIONS = 2000;
    private static final long MAX_ALLOCATION = 1 << 20;
    private static final long[] TELLING = {0, 1, -1, 32, 255, 1 << 16, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE};
    private static final byte[] JSON = "\"{}[],:-019 \\e".getBytes(StandardCharsets.US_ASCII);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long seed = System.nanoTime();

    @TempDir
    private Path directory;

    @Test
    void damagedSafetensorsAreRefusedOrSound() {
        byte[] valid = new SafetensorsBuilder()
                .metadata("format", "mlx")
                .tensor("model.embed_tokens.weight", "F32", List.of(4, 8), new byte[128])
                .tensor("model.norm.weight", "BF16", List.of(8), new byte[16])
                .tensor("lm_head.weight", "U32", List.of(2, 2), new byte[16])
                .tensor("scalar", "F16", List.of(), new byte[2])
                .build();
        damage(valid, directory.resolve("damaged.safetensors"), SafetensorsFile::open);
    }

    @Test
    void damagedGgufIsRefusedOrSound() {
        byte[] valid = new GgufBuilder()
                .string("general.architecture", "llama")
                .alignment(32)
                .key("llama.block_count", GgufType.U32, part -> part.int32(2))
                .array(
                        "tokenizer.ggml.tokens",
                        GgufType.STRING,
                        3,
                        part -> part.string("a").string("b").string("c"))
                .array(
                        "tokenizer.ggml.scores",
                        GgufType.F32,
                        2,
                        part -> part.float32(1).float32(2))
                .array(
                        "nested",
                        GgufType.ARRAY,
                        1,
                        part -> part.int32(0).int64(1).int8(1))
                .tensor("token_embd.weight", StoredType.Q4_0, new byte[36], 32, 2)
                .tensor("output_norm.weight", StoredType.F32, new byte[32], 8)
                .tensor("blk.0.attn_q.weight", StoredType.Q6_K, new byte[210], 256)
                .build();
        damage(valid, directory.resolve("damaged.gguf"), GgufFile::open);
    }

    private void damage(byte[] valid, Path path, Function<Path, ? extends WeightFile> open) {
        Random random = new Random(seed);
        open.apply(SafetensorsBuilder.write(path, valid)).close();
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = valid;
            for (int n = random.nextInt(3); n >= 0; n--) {
                bytes = mutate(bytes, random);
            }
            SafetensorsBuilder.write(path, bytes);
            refused += isRefused(path, open, "seed " + seed + ", mutation " + i) ? 1 : 0;
        }
        assertThat(refused).as("refused with seed " + seed).isBetween(MUTATIONS / 10, MUTATIONS - 1);
        Mappings.requireNone(path);
    }

    private static boolean isRefused(Path path, Function<Path, ? extends WeightFile> open, String what) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        try (WeightFile file = open.apply(path)) {
            requireSmall(before, what);
            for (TensorEntry entry : file.entries().values()) {
                read(new StoredTensor(file, entry));
            }
            return false;
        } catch (CheckpointException e) {
            requireSmall(before, what);
            assertThat(e.getMessage()).as(what).contains(path.toString()).doesNotContainPattern("\\p{Cntrl}");
            return true;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(what, e);
        }
    }

    private static void requireSmall(long before, String what) {
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
                .as("allocated bytes, " + what)
                .isLessThan(MAX_ALLOCATION);
    }

    private static void read(StoredTensor tensor) {
        tensor.copyTo(MemorySegment.ofArray(new byte[(int) tensor.entry().byteLength()]));
        if (HostTensors.canConvert(tensor.type())) {
            HostTensors.toFloat32(
                    tensor, MemorySegment.ofArray(new float[(int) tensor.entry().elementCount()]));
        }
    }

    private static byte[] mutate(byte[] bytes, Random random) {
        if (bytes.length < 2) {
            return bytes;
        }
        int at = random.nextInt(bytes.length);
        byte[] changed = bytes.clone();
        switch (random.nextInt(6)) {
            case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> changed[at] = (byte) random.nextInt(256);
            case 2 -> changed[at] = JSON[random.nextInt(JSON.length)];
            case 3 -> overwrite(changed, at, TELLING[random.nextInt(TELLING.length)], random.nextBoolean() ? 8 : 4);
            case 4 -> changed = Arrays.copyOf(bytes, at);
            default -> changed = splice(bytes, at, random);
        }
        return changed;
    }

    private static void overwrite(byte[] bytes, int at, long value, int width) {
        byte[] number = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(value)
                .array();
        System.arraycopy(number, 0, bytes, at, Math.min(width, bytes.length - at));
    }

    /** Cuts a piece out, or puts it in a second time. */
    private static byte[] splice(byte[] bytes, int at, Random random) {
        int length = Math.min(bytes.length - at, 1 + random.nextInt(24));
        int resume = random.nextBoolean() ? at + length : Math.max(0, at - length);
        return ByteBuffer.allocate(at + bytes.length - resume)
                .put(bytes, 0, at)
                .put(bytes, resume, bytes.length - resume)
                .array();
    }
}
