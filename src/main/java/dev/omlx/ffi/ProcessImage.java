package dev.omlx.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/** The program that this process runs. */
public final class ProcessImage {
    /** SIGHUP, SIGINT and SIGTERM, which have the same numbers everywhere. */
    private static final int[] ENDING_SIGNALS = {1, 2, 15};

    private static final long DEFAULT = 0;
    private static final long IGNORED = 1;

    /** More than a {@code struct sigaction} takes anywhere. */
    private static final int SIGACTION_BYTES = 512;

    /** The threads in which a JVM begins its end after such a signal, by their names. */
    private static final Set<String> END_HANDLERS = Set.of("SIGHUP handler", "SIGINT handler", "SIGTERM handler");

    private ProcessImage() {}

    /**
     * Runs another program in place of this one, by POSIX's {@code execv}: the process keeps its id, its parent, its
     * environment and its standard streams, and nothing of this JVM is left. Comes back only if that fails, and then
     * nothing has changed. A signal that asks the process to end is not lost on the way, whenever it comes.
     *
     * @param arguments what the program gets after its own name
     */
    @SuppressWarnings("restricted")
    public static void replace(Path program, List<String> arguments) {
        Linker linker = Linker.nativeLinker();
        MethodHandle execv = function(linker, "execv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        MethodHandle sigaction =
                function(linker, "sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        MethodHandle signal = function(linker, "signal", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(program.toString());
            MemorySegment argv = arena.allocate(ADDRESS, arguments.size() + 2L); // the last one stays null
            argv.setAtIndex(ADDRESS, 0, path);
            for (int i = 0; i < arguments.size(); i++) {
                argv.setAtIndex(ADDRESS, i + 1L, arena.allocateFrom(arguments.get(i)));
            }
            MemorySegment handlers = arena.allocate((long) ENDING_SIGNALS.length * SIGACTION_BYTES, 16);
            for (int i = 0; i < ENDING_SIGNALS.length; i++) {
                int saved = (int) sigaction.invokeExact(ENDING_SIGNALS[i], MemorySegment.NULL, slot(handlers, i));
                long before = (long) signal.invokeExact(ENDING_SIGNALS[i], DEFAULT);
                if (before == IGNORED) {
                    before = (long) signal.invokeExact(ENDING_SIGNALS[i], IGNORED);
                }
            }
            awaitEndUnderWay();
            int failed = (int) execv.invokeExact(path, argv);
            for (int i = 0; i < ENDING_SIGNALS.length; i++) {
                int restored = (int) sigaction.invokeExact(ENDING_SIGNALS[i], slot(handlers, i), MemorySegment.NULL);
            }
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle function(Linker linker, String name, FunctionDescriptor type) {
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }

    private static MemorySegment slot(MemorySegment handlers, int index) {
        return handlers.asSlice((long) index * SIGACTION_BYTES, SIGACTION_BYTES);
    }

    /**
     * A signal from now on ends the process at once. One that came before is in the hands of this JVM, which takes some
     * time to begin its end: then it is left to it.
     */
    private static void awaitEndUnderWay() throws InterruptedException {
        awaitDispatch();
        boolean ending = Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> END_HANDLERS.contains(thread.getName()));
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
