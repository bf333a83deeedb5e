package dev.omlx.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.RandomNumbers;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** The threads that share the CPU kernels' work do each block once, and all of them before the caller goes on. */
class TeamIT {
    private static final int MOST = 40;
    private static final int THREADS = 3;
    private static final long NANOS = 3_000_000_000L;

    /** Not cleared between rounds, so that a block of an earlier round is seen too. */
    private final AtomicIntegerArray times = new AtomicIntegerArray(MOST);

    private volatile int work;

    @Test
    void eachBlockIsDoneOnceAndInTime() throws Throwable {
        NativePlatform platform = NativePlatform.current();
        assumeThat(platform.isMac()).as("there are no CPU kernels").isFalse();
        DynamicLoader loader = new DynamicLoader(platform);
        NativeMlx.start();
        Path folder = MlxLibrary.load(new NativeSearch(null, Path.of(""), Path.of("")))
                .folder();
        MemorySegment shim = loader.openGlobally(folder.resolve(platform.libraryFile("omlx_blas")));
        Random random = RandomNumbers.seeded();
        int[] expected = new int[MOST];
        try (Arena arena = Arena.ofShared()) {
            MethodHandle run = Downcall.LINKER.downcallHandle(
                    loader.find(shim, "omlx_team_run"),
                    FunctionDescriptor.ofVoid(
                            ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            MemorySegment block = Downcall.LINKER.upcallStub(
                    MethodHandles.lookup()
                            .bind(this, "block", MethodType.methodType(void.class, MemorySegment.class, int.class)),
                    FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                    arena);
            long end = System.nanoTime() + NANOS;
            for (long round = 0; System.nanoTime() < end; round++) {
                int count = 1 + random.nextInt(random.nextBoolean() ? 4 : MOST);
                work = random.nextInt(200);
                run.invokeExact(block, MemorySegment.NULL, count, THREADS);
                for (int i = 0; i < MOST; i++) {
                    expected[i] += i < count ? 1 : 0;
                    assertThat(times.get(i))
                            .as("block %d of %d in round %d", i, count, round)
                            .isEqualTo(expected[i]);
                }
            }
        }
    }

    @SuppressWarnings("unused") // called from C
    private void block(MemorySegment nothing, int index) {
        for (int i = 0; i < work; i++) {
            Thread.onSpinWait();
        }
        times.incrementAndGet(index);
    }
}
