package dev.omlx.model.weights;

import java.nio.ByteBuffer;
import java.util.List;

/** A value of GGUF metadata. Numbers and truth values of an array stay as the bytes of the file until asked for. */
sealed interface GgufValue {
    /** An integer of any width; {@code unsigned64} if the bits are those of an unsigned 64-bit number. */
    record Whole(long bits, boolean unsigned64) implements GgufValue {}

    record Real(double value) implements GgufValue {}

    record Flag(boolean value) implements GgufValue {}

    record Text(String value) implements GgufValue {}

    record Texts(List<String> values) implements GgufValue {}

    /** An array of numbers or truth values, little-endian; read at absolute positions only. */
    record Packed(GgufType type, ByteBuffer bytes) implements GgufValue {
        int size() {
            return bytes.limit() / type.minBytes();
        }

        GgufValue get(int index) {
            return type.scalar(bytes, index * type.minBytes());
        }
    }

    /** An array of arrays. */
    record Nested(List<GgufValue> values) implements GgufValue {}

    /** What a message calls the value. */
    default String describe() {
        return switch (this) {
            case Whole whole -> whole.unsigned64 ? Long.toUnsignedString(whole.bits) : Long.toString(whole.bits);
            case Real real -> Double.toString(real.value);
            case Flag flag -> Boolean.toString(flag.value);
            case Text text -> CheckpointException.quoted(text.value);
            case Texts texts -> "an array of " + texts.values.size() + " strings";
            case Packed packed -> "an array of " + packed.size() + " " + packed.type;
            case Nested nested -> "an array of " + nested.values.size() + " arrays";
        };
    }
}
