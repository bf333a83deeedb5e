package dev.omlx.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * SIGHUP, SIGINT and SIGTERM while the process changes its program: from when this is made they end it at once, as they
 * would without a JVM; those that are ignored stay so. Used by one thread.
 */
final class EndingSignals {
    /** The same everywhere. */
    private static final int[] NUMBERS = {1, 2, 15};

    /** The threads in which a JVM begins its end after such a signal, by their names. */
    private static final Set<String> HANDLERS = Set.of("SIGHUP handler", "SIGINT handler", "SIGTERM handler");

    private static final long DEFAULT = 0;
    private static final long IGNORED = 1;

    /** More than a {@code struct sigaction} takes anywhere. */
    private static final int SIGACTION_BYTES = 512;

    private final MethodHandle sigaction =
            ProcessImage.function("sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private final MemorySegment before;

    /** @param arena holds what they did before */
    EndingSignals(Arena arena) throws Throwable {
        MethodHandle signal = ProcessImage.function("signal", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG));
        before = arena.allocate((long) NUMBERS.length * SIGACTION_BYTES, 16);
        for (int i = 0; i < NUMBERS.length; i++) {
            int saved = (int) sigaction.invokeExact(NUMBERS[i], MemorySegment.NULL, before(i));
            long previous = (long) signal.invokeExact(NUMBERS[i], DEFAULT);
            if (previous == IGNORED) {
                previous = (long) signal.invokeExact(NUMBERS[i], IGNORED);
            }
        }
    }

    /** They do again what they did before. */
    void restore() throws Throwable {
        for (int i = 0; i < NUMBERS.length; i++) {
            int restored = (int) sigaction.invokeExact(NUMBERS[i], before(i), MemorySegment.NULL);
        }
    }

    private MemorySegment before(int index) {
        return before.asSlice((long) index * SIGACTION_BYTES, SIGACTION_BYTES);
    }

    /**
     * One that came before this was made is in the hands of the JVM, which takes some time to begin its end: then it is
     * left to it, and this does not return.
     */
    void awaitEndUnderWay() throws InterruptedException {
        awaitDispatch();
        boolean ending =
                Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> HANDLERS.contains(thread.getName()));
        Thread hook = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            ending = true;
        }
        if (ending) {
            Thread.currentThread().join();
        }
    }

    /** The JVM hands signals on by their numbers, so that all before this one have their handlers' threads then. */
    private static void awaitDispatch() throws InterruptedException {
        CountDownLatch dispatched = new CountDownLatch(1);
        Signal last = new Signal("WINCH");
        SignalHandler before = Signal.handle(last, signal -> dispatched.countDown());
        Signal.raise(last);
        boolean inTime = dispatched.await(1, TimeUnit.SECONDS);
        Signal.handle(last, before);
    }
}
