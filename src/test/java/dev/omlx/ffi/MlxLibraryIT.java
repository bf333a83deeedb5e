package dev.omlx.ffi;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.omlx.ffi.gen.MlxArray;
import dev.omlx.ffi.gen.MlxDtype;
import dev.omlx.ffi.gen.MlxFast;
import dev.omlx.ffi.gen.MlxMap;
import dev.omlx.ffi.gen.MlxOps;
import dev.omlx.ffi.gen.MlxStream;
import dev.omlx.ffi.gen.MlxVector;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real library through the raw bindings. */
class MlxLibraryIT {

    private static final Path NOWHERE = Path.of("target", "no-such-folder");

    private final Arena arena = Arena.ofConfined();
    private MlxLibrary library;
    private long stream;

    @BeforeEach
    void load() {
        library = MlxLibrary.load(new NativeSearch(null, Path.of(""), NOWHERE));
        stream = MlxStream.mlx_default_cpu_stream_new();
    }

    @AfterEach
    void free() {
        MlxStream.mlx_stream_free(stream);
        arena.close();
    }

    @Test
    void isThePinnedVersionAndLoadedOnce() {
        assertThat(MlxLibrary.version()).isEqualTo(MlxLibrary.MLX_VERSION);
        assertThat(MlxLibrary.load(new NativeSearch(NOWHERE, NOWHERE, NOWHERE))).isSameAs(library);
    }

    @Test
    void computes() {
        long ones = ones(2, 3);
        long product = result(r -> MlxOps.mlx_matmul(r, ones, ones(3, 4), stream));
        long sum = result(r -> MlxOps.mlx_add(r, product, ones(2, 4), stream));

        assertThat(floats(sum)).containsOnly(4).hasSize(8);
        assertThat(MlxArray.mlx_array_ndim(sum)).isEqualTo(2);
        assertThat(MlxArray.mlx_array_dtype(sum)).isEqualTo(MlxDtype.MLX_FLOAT32);
    }

    @Test
    void errorsCarryTheTextOfMlx() {
        long a = ones(2, 3);

        MlxException error = catchThrowableOfType(
                MlxException.class, () -> result("mlx_matmul", r -> MlxOps.mlx_matmul(r, a, a, stream)));

        assertThat(error.call()).isEqualTo("mlx_matmul");
        assertThat(error)
                .hasMessageStartingWith("mlx_matmul: [matmul] Last dimension of first input with shape (2,3)")
                .hasMessageNotContaining(".cpp:");
        assertThat(floats(a)).as("the process lives on").containsOnly(1);
    }

    @Test
    void errorsBelongToTheirThread() {
        long a = ones(2, 3);
        assertThat(MlxOps.mlx_matmul(arena.allocate(JAVA_LONG).address(), a, a, stream))
                .isNotZero();

        CompletableFuture.runAsync(() -> {
                    try (Arena own = Arena.ofConfined()) {
                        int code = MlxOps.mlx_reshape(
                                own.allocate(JAVA_LONG).address(),
                                a,
                                own.allocateFrom(JAVA_INT, 7).address(),
                                1,
                                stream);
                        assertThatExceptionOfType(MlxException.class)
                                .isThrownBy(() -> NativeErrors.check(code, "mlx_reshape"))
                                .withMessageContaining("[reshape]");
                    }
                })
                .join();

        assertThat(NativeErrors.failure("mlx_matmul")).hasMessageContaining("[matmul]");
        assertThat(NativeErrors.failure("mlx_matmul")).hasMessageContaining("without a reason");
    }

    @Test
    void optionalsGoByValue() {
        long x = result(r -> MlxOps.mlx_arange(r, 0, 16, 1, MlxDtype.MLX_FLOAT32, stream));
        long rows = result(r -> MlxOps.mlx_reshape(r, x, ints(1, 1, 2, 8), 4, stream));

        float[] small = floats(rope(rows, Downcall.optional(100f)));
        float[] large = floats(rope(rows, Downcall.optional(10000f)));

        // the second position's last pair turns by base^(-3/4)
        assertThat(small[14] - 14 * Math.cos(Math.pow(100, -0.75)) + 15 * Math.sin(Math.pow(100, -0.75)))
                .isBetween(-1e-4, 1e-4);
        assertThat(large[14] - 14 * Math.cos(Math.pow(10000, -0.75)) + 15 * Math.sin(Math.pow(10000, -0.75)))
                .isBetween(-1e-4, 1e-4);
        assertThatExceptionOfType(MlxException.class)
                .as("neither base nor frequencies")
                .isThrownBy(() -> rope(rows, Downcall.absent()));
    }

    @Test
    void optionalsGoByValueOnTheStackToo() {
        long weights = ones(4, 64);
        long mode = arena.allocateFrom("affine").address();
        long size = Downcall.optional(32);
        long bits = Downcall.optional(8);
        long parts = result(r -> MlxOps.mlx_quantize(r, weights, size, bits, mode, 0, stream));
        long packed = result(r -> MlxVector.mlx_vector_array_get(r, parts, 0));
        long scales = result(r -> MlxVector.mlx_vector_array_get(r, parts, 1));
        long biases = result(r -> MlxVector.mlx_vector_array_get(r, parts, 2));

        // eight register arguments come before the dtype
        long restored = result(r -> MlxOps.mlx_dequantize(
                r, packed, scales, biases, size, bits, mode, 0, Downcall.optional(MlxDtype.MLX_FLOAT16), stream));

        assertThat(MlxArray.mlx_array_nbytes(packed)).isEqualTo(4 * 64);
        assertThat(MlxArray.mlx_array_size(scales)).isEqualTo(4 * 2);
        assertThat(MlxArray.mlx_array_dtype(restored)).isEqualTo(MlxDtype.MLX_FLOAT16);
        assertThat(floats(result(r -> MlxOps.mlx_astype(r, restored, MlxDtype.MLX_FLOAT32, stream))))
                .hasSize(256)
                .containsOnly(1);
    }

    @Test
    void structsOfTwoPointersGoByValue() {
        long map = MlxMap.mlx_map_string_to_array_new();
        MlxMap.mlx_map_string_to_array_insert(map, arena.allocateFrom("a").address(), ones(1));
        MlxMap.mlx_map_string_to_array_insert(map, arena.allocateFrom("ä").address(), ones(2));
        MemorySegment iterator = MlxMap.mlx_map_string_to_array_iterator_new(arena, map);
        MemorySegment key = arena.allocate(JAVA_LONG);
        MemorySegment value = arena.allocate(JAVA_LONG);
        Map<String, Long> sizes = new TreeMap<>();

        while (MlxMap.mlx_map_string_to_array_iterator_next(key.address(), value.address(), iterator) == 0) {
            sizes.put(CStrings.read(key.get(JAVA_LONG, 0)), MlxArray.mlx_array_size(value.get(JAVA_LONG, 0)));
        }

        assertThat(sizes).isEqualTo(Map.of("a", 1L, "ä", 2L));
        MlxMap.mlx_map_string_to_array_iterator_free(iterator);
        MlxMap.mlx_map_string_to_array_free(map);
    }

    @Test
    void openBlasComesBeforeTheBlasOfTheWheel() {
        NativePlatform platform = NativePlatform.current();
        assumeThat(platform.isMac()).as("Accelerate is built in").isFalse();

        Blas blas = library.blas().orElseThrow();
        DynamicLoader loader = new DynamicLoader(platform);
        MemorySegment shim = loader.openGlobally(library.folder().resolve(platform.libraryFile("omlx_blas")));

        assertThat(blas.configuration()).contains("OpenBLAS");
        // a null handle asks as libmlx did: whichever library comes first
        assertThat(loader.find(MemorySegment.NULL, "cblas_sgemm")).isEqualTo(loader.find(shim, "cblas_sgemm"));
        int threads = blas.threads();
        blas.setThreads(1);
        assertThat(blas.threads()).isEqualTo(1);
        blas.setThreads(threads);
    }

    @Test
    void aFileThatIsNoLibraryOfThisMachineIsNamed(@TempDir Path folder) throws IOException {
        NativePlatform platform = NativePlatform.current();
        Path file = Files.writeString(folder.resolve(platform.libraryFile("mlxc")), "not a library");

        assertThatExceptionOfType(NativeLibraryException.class)
                .isThrownBy(() -> new DynamicLoader(platform).open(file))
                .withMessageContainingAll(file.toString(), platform.toString(), "native-lib/build.sh");
    }

    private long rope(long x, long base) {
        return result("mlx_fast_rope", r -> MlxFast.mlx_fast_rope(r, x, 8, true, base, 1, 0, 0, stream));
    }

    private long ones(int... shape) {
        return result(r -> MlxOps.mlx_ones(r, ints(shape), shape.length, MlxDtype.MLX_FLOAT32, stream));
    }

    private long ints(int... values) {
        return arena.allocateFrom(JAVA_INT, values).address();
    }

    private long result(LongToIntFunction call) {
        return result("call", call);
    }

    /** What a call leaves in its result parameter; never freed, the tests are short. */
    private long result(String name, LongToIntFunction call) {
        MemorySegment result = arena.allocate(JAVA_LONG);
        NativeErrors.check(call.applyAsInt(result.address()), name);
        return result.get(JAVA_LONG, 0);
    }

    private static float[] floats(long array) {
        NativeErrors.check(MlxArray.mlx_array_eval(array), "mlx_array_eval");
        return MemorySegment.ofAddress(
                        NativeErrors.checkHandle(MlxArray.mlx_array_data_float32(array), "mlx_array_data_float32"))
                .reinterpret(MlxArray.mlx_array_nbytes(array))
                .toArray(JAVA_FLOAT);
    }
}
