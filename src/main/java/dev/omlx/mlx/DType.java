package dev.omlx.mlx;

/** Element types of tensors, in the order of MLX's own enumeration. */
public enum DType {
    BOOL(1),
    UINT8(1),
    UINT16(2),
    UINT32(4),
    UINT64(8),
    INT8(1),
    INT16(2),
    INT32(4),
    INT64(8),
    FLOAT16(2),
    FLOAT32(4),
    FLOAT64(8),
    BFLOAT16(2),
    COMPLEX64(8);

    private static final DType[] VALUES = values();

    private final int bytes;

    DType(int bytes) {
        this.bytes = bytes;
    }

    /** Size of one element in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Whether it is a real floating-point type. */
    public boolean isFloating() {
        return this == FLOAT16 || this == BFLOAT16 || this == FLOAT32 || this == FLOAT64;
    }

    static DType ofNative(int code) {
        return VALUES[code];
    }

    @SuppressWarnings("EnumOrdinal") // MLX numbers them in this order
    int code() {
        return ordinal();
    }
}
