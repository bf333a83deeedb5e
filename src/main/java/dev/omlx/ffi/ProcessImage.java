package dev.omlx.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;

/** The program that this process runs. */
public final class ProcessImage {

    private ProcessImage() {}

    /**
     * Runs another program in place of this one, by POSIX's {@code execv}: the process keeps its id, its parent, its
     * environment and its standard streams, and nothing of this JVM is left. Comes back only if that fails, and then
     * nothing has changed. A signal that asks the process to end is not lost on the way, whenever it comes.
     *
     * @param arguments what the program gets after its own name
     */
    public static void replace(Path program, List<String> arguments) {
        MethodHandle execv = function("execv", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(program.toString());
            MemorySegment argv = arena.allocate(ADDRESS, arguments.size() + 2L); // the last one stays null
            argv.setAtIndex(ADDRESS, 0, path);
            for (int i = 0; i < arguments.size(); i++) {
                argv.setAtIndex(ADDRESS, i + 1L, arena.allocateFrom(arguments.get(i)));
            }
            EndingSignals signals = new EndingSignals(arena);
            signals.awaitEndUnderWay();
            int failed = (int) execv.invokeExact(path, argv);
            signals.restore();
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    @SuppressWarnings("restricted")
    static MethodHandle function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
    }
}
