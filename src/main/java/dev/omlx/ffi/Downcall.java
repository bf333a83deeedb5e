package dev.omlx.ffi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes the method handles of the generated bindings. They are static constants there, so that the JIT compiler sees
 * through them; hence the library must be loaded before such a class is touched.
 */
public final class Downcall {

    /** Also a pointer, a handle, a {@code size_t} and a packed optional. */
    public static final MemoryLayout LONG = ValueLayout.JAVA_LONG;

    public static final MemoryLayout INT = ValueLayout.JAVA_INT;

    static final Linker LINKER = Linker.nativeLinker();

    private Downcall() {}

    /**
     * A function of primitives.
     *
     * @param type its type as the JVM writes it, such as {@code (JJF)I}
     */
    public static MethodHandle function(String name, String type) {
        MethodType method = MethodType.fromMethodDescriptorString(type, null);
        return function(
                name,
                method.returnType() == void.class ? null : layout(method.returnType()),
                method.parameterList().stream().map(Downcall::layout).toArray(MemoryLayout[]::new));
    }

    /** A function with structs by value; {@code result} is null for {@code void}. */
    @SuppressWarnings("restricted")
    public static MethodHandle function(String name, @Nullable MemoryLayout result, MemoryLayout... parameters) {
        FunctionDescriptor descriptor =
                result == null ? FunctionDescriptor.ofVoid(parameters) : FunctionDescriptor.of(result, parameters);
        return LINKER.downcallHandle(MlxLibrary.symbol(name), descriptor);
    }

    /** A struct of so many pointers. */
    public static MemoryLayout words(int count) {
        MemoryLayout[] words = new MemoryLayout[count];
        Arrays.fill(words, LONG);
        return MemoryLayout.structLayout(words);
    }

    /** An {@code mlx_optional_int} or {@code mlx_optional_dtype} with a value, packed as the bindings take it. */
    public static long optional(int value) {
        return 1L << 32 | Integer.toUnsignedLong(value);
    }

    /** An {@code mlx_optional_float} with a value. */
    public static long optional(float value) {
        return optional(Float.floatToRawIntBits(value));
    }

    /** Any optional without a value. */
    public static long absent() {
        return 0;
    }

    /** What {@code invokeExact} declares but a downcall never throws, unless the types are wrong. */
    public static RuntimeException unexpected(Throwable cause) {
        if (cause instanceof RuntimeException exception) {
            return exception;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        throw new AssertionError(cause);
    }

    private static MemoryLayout layout(Class<?> type) {
        return switch (type.descriptorString()) {
            case "J" -> ValueLayout.JAVA_LONG;
            case "I" -> ValueLayout.JAVA_INT;
            case "Z" -> ValueLayout.JAVA_BOOLEAN;
            case "F" -> ValueLayout.JAVA_FLOAT;
            case "D" -> ValueLayout.JAVA_DOUBLE;
            default -> throw new IllegalArgumentException("no C type for " + type);
        };
    }
}
