package dev.omlx.model.weights;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The types of GGUF metadata values, with the numbers that the file uses for them. */
enum GgufType {
    U8(0, 1),
    I8(1, 1),
    U16(2, 2),
    I16(3, 2),
    U32(4, 4),
    I32(5, 4),
    F32(6, 4),
    BOOL(7, 1),
    STRING(8, 8),
    ARRAY(9, 12),
    U64(10, 8),
    I64(11, 8),
    F64(12, 8);

    private static final Map<Integer, GgufType> BY_ID =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(GgufType::id, Function.identity()));

    private final int id;
    private final int minBytes;

    GgufType(int id, int minBytes) {
        this.id = id;
        this.minBytes = minBytes;
    }

    static Optional<GgufType> of(int id) {
        return Optional.ofNullable(BY_ID.get(id));
    }

    int id() {
        return id;
    }

    /** Bytes of a value; the fewest that one can take for strings and arrays. */
    int minBytes() {
        return minBytes;
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
