package dev.omlx.model.weights;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a tensor's elements are stored in a file: plain numbers, or blocks that hold several quantised elements together
 * with their scale. Names are those of the safetensors and GGUF formats. A file with any of these types can be opened;
 * which of them can be converted to float32 or kept quantised is known to {@link HostTensors}.
 */
public enum StoredType {
    F64("F64", 28, 8),
    F32("F32", 0, 4),
    F16("F16", 1, 2),
    BF16("BF16", 30, 2),
    I64("I64", 27, 8),
    I32("I32", 26, 4),
    I16("I16", 25, 2),
    I8("I8", 24, 1),
    U64("U64", null, 8),
    U32("U32", null, 4),
    U16("U16", null, 2),
    U8("U8", null, 1),
    BOOL("BOOL", null, 1),
    C64("C64", null, 8),
    F8_E4M3("F8_E4M3", null, 1),
    F8_E5M2("F8_E5M2", null, 1),
    F8_E8M0("F8_E8M0", null, 1),

    Q4_0(2, 32, 18),
    Q4_1(3, 32, 20),
    Q5_0(6, 32, 22),
    Q5_1(7, 32, 24),
    Q8_0(8, 32, 34),
    Q8_1(9, 32, 40),
    Q2_K(10, 256, 84),
    Q3_K(11, 256, 110),
    Q4_K(12, 256, 144),
    Q5_K(13, 256, 176),
    Q6_K(14, 256, 210),
    Q8_K(15, 256, 292),
    IQ2_XXS(16, 256, 66),
    IQ2_XS(17, 256, 74),
    IQ3_XXS(18, 256, 98),
    IQ1_S(19, 256, 50),
    IQ4_NL(20, 32, 18),
    IQ3_S(21, 256, 110),
    IQ2_S(22, 256, 82),
    IQ4_XS(23, 256, 136),
    IQ1_M(29, 256, 56),
    TQ1_0(34, 256, 54),
    TQ2_0(35, 256, 66),
    MXFP4(39, 32, 17);

    private static final Map<String, StoredType> BY_SAFETENSORS_NAME = index(type -> type.safetensorsName);
    private static final Map<Integer, StoredType> BY_GGUF_ID = index(type -> type.ggufId);

    private final @Nullable String safetensorsName;
    private final @Nullable Integer ggufId;
    private final int blockSize;
    private final int blockBytes;

    StoredType(String safetensorsName, @Nullable Integer ggufId, int bytes) {
        this.safetensorsName = safetensorsName;
        this.ggufId = ggufId;
        this.blockSize = 1;
        this.blockBytes = bytes;
    }

    StoredType(int ggufId, int blockSize, int blockBytes) {
        this.safetensorsName = null;
        this.ggufId = ggufId;
        this.blockSize = blockSize;
        this.blockBytes = blockBytes;
    }

    /** The type that a safetensors header calls {@code dtype}. */
    static Optional<StoredType> ofSafetensors(String dtype) {
        return Optional.ofNullable(BY_SAFETENSORS_NAME.get(dtype));
    }

    /** The type with that number in a GGUF tensor description. */
    static Optional<StoredType> ofGguf(int id) {
        return Optional.ofNullable(BY_GGUF_ID.get(id));
    }

    /** Whether elements are stored in quantised blocks rather than as plain numbers. */
    public boolean isBlock() {
        return blockSize > 1;
    }

    /** Elements in one block; 1 for plain numbers. Blocks lie along the last dimension and never cross a row. */
    public int blockSize() {
        return blockSize;
    }

    /** Bytes of one block; of one element for plain numbers. */
    public int blockBytes() {
        return blockBytes;
    }

    /**
     * Bytes that {@code elements} elements take.
     *
     * @throws ArithmeticException if that is more than a long holds
     */
    long byteLength(long elements) {
        return Math.multiplyExact(elements / blockSize, blockBytes);
    }

    private static <K> Map<K, StoredType> index(Function<StoredType, @Nullable K> key) {
        return Arrays.stream(values())
                .filter(type -> key.apply(type) != null)
                .collect(Collectors.toUnmodifiableMap(key, Function.identity()));
    }
}
