package dev.omlx.model.weights;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The types of GGUF metadata values; the ordinal is the number that the file uses. */
enum GgufType {
    U8(1),
    I8(1),
    U16(2),
    I16(2),
    U32(4),
    I32(4),
    F32(4),
    BOOL(1),
    STRING(8),
    ARRAY(12),
    U64(8),
    I64(8),
    F64(8);

    private static final GgufType[] ALL = values();

    private final int minBytes;

    GgufType(int minBytes) {
        this.minBytes = minBytes;
    }

    static Optional<GgufType> of(int id) {
        return id >= 0 && id < ALL.length ? Optional.of(ALL[id]) : Optional.empty();
    }

    /** Bytes of a value; the fewest that one can take for strings and arrays. */
    int minBytes() {
        return minBytes;
    }

    /** Whether values are of a fixed size: numbers and truth values. */
    boolean isScalar() {
        return this != STRING && this != ARRAY;
    }

    /** The value at that position of little-endian bytes; for scalars only. */
    GgufValue scalar(ByteBuffer bytes, int at) {
        return switch (this) {
            case U8 -> whole(Byte.toUnsignedLong(bytes.get(at)));
            case I8 -> whole(bytes.get(at));
            case U16 -> whole(Short.toUnsignedLong(bytes.getShort(at)));
            case I16 -> whole(bytes.getShort(at));
            case U32 -> whole(Integer.toUnsignedLong(bytes.getInt(at)));
            case I32 -> whole(bytes.getInt(at));
            case U64 -> new GgufValue.Whole(bytes.getLong(at), true);
            case I64 -> whole(bytes.getLong(at));
            case F32 -> new GgufValue.Real(bytes.getFloat(at));
            case F64 -> new GgufValue.Real(bytes.getDouble(at));
            case BOOL -> new GgufValue.Flag(bytes.get(at) != 0);
            case STRING, ARRAY -> throw new IllegalStateException(this + " has no fixed size");
        };
    }

    private static GgufValue whole(long value) {
        return new GgufValue.Whole(value, false);
    }
}
