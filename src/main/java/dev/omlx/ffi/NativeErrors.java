package dev.omlx.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.regex.Pattern;

/**
 * Turns MLX's errors into exceptions. mlx-c reports an error in two halves: it calls the process-wide handler with the
 * text, inside the failing call and on its thread, and then returns non-zero. The handler here keeps the text for its
 * thread; the checks below fetch it. An exception must never leave the handler, since that would end the process.
 */
public final class NativeErrors {

    private static final ThreadLocal<String> TEXT = new ThreadLocal<>();

    /** The place in mlx-c's sources that ends each text: of no use to a reader of ours. */
    private static final Pattern SOURCE_PLACE = Pattern.compile(" at \\S+:\\d+$");

    private NativeErrors() {}

    /**
     * Passes if the return code of a call is 0.
     *
     * @param call the function, such as {@code mlx_matmul}
     * @throws MlxException with MLX's text otherwise
     */
    public static void check(int code, String call) {
        if (code != 0) {
            throw failure(call);
        }
    }

    /**
     * Passes on the handle or pointer that a call returned.
     *
     * @throws MlxException if it is null
     */
    public static long checkHandle(long handle, String call) {
        if (handle == 0) {
            throw failure(call);
        }
        return handle;
    }

    /** The exception for a call on this thread that has just failed, whatever way it said so. */
    public static MlxException failure(String call) {
        String text = TEXT.get();
        TEXT.remove();
        return new MlxException(
                call,
                text == null
                        ? "failed without a reason"
                        : SOURCE_PLACE.matcher(text).replaceFirst(""));
    }

    /** Replaces mlx-c's own handler, which ends the process. To be done before any other call. */
    @SuppressWarnings("restricted")
    static void install() {
        try {
            MethodHandle keep = MethodHandles.lookup()
                    .findStatic(NativeErrors.class, "keep", MethodType.methodType(void.class, long.class, long.class));
            MemorySegment handler = Downcall.LINKER.upcallStub(
                    keep, FunctionDescriptor.ofVoid(Downcall.LONG, Downcall.LONG), Arena.global());
            Downcall.function("mlx_set_error_handler", "(JJJ)V").invokeExact(handler.address(), 0L, 0L);
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /** The handler. */
    @SuppressWarnings("unused")
    private static void keep(long message, long data) {
        try {
            TEXT.set(CStrings.read(message));
        } catch (Throwable e) {
            // nothing may leave an upcall; the caller still sees the return code
        }
    }
}
