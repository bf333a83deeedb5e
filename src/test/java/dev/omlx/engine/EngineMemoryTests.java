package dev.omlx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Device;
import dev.omlx.model.ModelShape;
import dev.omlx.model.StepMemory;
import dev.omlx.sched.StepShape;
import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How the ceiling is divided. */
class EngineMemoryTests {
    private static final long GB = 1L << 30;
    private static final int CONTEXT = 8192;
    private static final int ROWS = 32;
    private static final ModelShape SMOLLM2 =
            new ModelShape("llama", 30, 576, 1536, 9, 3, 64, 49152, CONTEXT, DType.FLOAT32);
    private static final long WEIGHTS = 538L << 20;

    private static EngineMemory of(long ceiling) {
        EngineMemory memory = new EngineMemory(ceiling, () -> {});
        memory.admit("m", new StepMemory(SMOLLM2, Device.CPU, true), WEIGHTS, CONTEXT, ROWS, SMOLLM2::kvBytes);
        return memory;
    }

    @Test
    void partsAddUpToTheCeiling() {
        EngineMemory memory = of(4 * GB);
        assertThat(memory.cacheLimit()).isEqualTo(4 * GB / 32);
        assertThat(memory.tensorLimit() + memory.cacheLimit()).isEqualTo(4 * GB);
        assertThat(memory.limit()).isBetween(2 * GB, memory.tensorLimit() - WEIGHTS - (50L << 20));
        assertThat(memory.budget()).isEqualTo(memory.limit());
        assertThat(memory.bytes("m", 1)).isEqualTo(256L * 2 * 30 * 3 * 64 * 4);
        assertThat(memory.bytes("m", 257)).isEqualTo(2 * memory.bytes("m", 1));
    }

    @Test
    void theDeviceMayLowerTheCeilingAndNotRaiseIt() {
        EngineMemory memory = new EngineMemory(4 * GB, () -> {});
        memory.lowerCeiling(8 * GB);
        assertThat(memory.ceiling()).isEqualTo(4 * GB);
        memory.lowerCeiling(GB);
        assertThat(memory.ceiling()).isEqualTo(GB);
    }

    @Test
    void nothingFitsBeforeAModelIsThere() {
        EngineMemory memory = new EngineMemory(4 * GB, () -> {});
        assertThat(memory.limit()).isZero();
        assertThat(memory.bytes("m", 1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aModelThatDoesNotFitIsRefusedWithItsSizes() {
        assertThatThrownBy(() -> of(500L << 20))
                .isInstanceOf(ModelTooLargeException.class)
                .hasMessageContaining("'m'")
                .hasMessageContaining("538 MiB of weights")
                .hasMessageContaining("may hold 500 MiB")
                .hasMessageContaining("omlx.memory.max");
    }

    /** What the message says is taken is more than what it says there is, however near the two are. */
    @Test
    void theSizesOfARefusalSpeakForThemselves() {
        Pattern sizes = Pattern.compile("it takes ([\\d.]+) MiB \\(.*but MLX may hold ([\\d.]+) MiB");
        int refusals = 0;
        for (long ceiling = WEIGHTS; !fits(ceiling); ceiling += 100_003) {
            long tight = ceiling;
            String message = catchThrowable(() -> of(tight)).getMessage();
            var said = sizes.matcher(message);
            assertThat(said.find()).as(message).isTrue();
            assertThat(new BigDecimal(said.group(1))).as(message).isGreaterThan(new BigDecimal(said.group(2)));
            refusals++;
        }
        assertThat(refusals).isGreaterThan(100);
    }

    @Test
    void whereTheModelFitsAtLeastOneSequenceDoes() {
        long ceiling = WEIGHTS;
        while (!fits(ceiling)) {
            ceiling += 4 << 20;
        }
        EngineMemory memory = of(ceiling);
        assertThat(memory.limit()).isGreaterThanOrEqualTo(memory.bytes("m", 1));
        assertThat(memory.prefillRoom("m", StepShape.EMPTY, 0, 2048, memory.limit()))
                .isGreaterThanOrEqualTo(32);
    }

    private static boolean fits(long ceiling) {
        try {
            of(ceiling);
            return true;
        } catch (ModelTooLargeException e) {
            return false;
        }
    }

    @Test
    void aTightCeilingShortensTheContext() {
        long ceiling = WEIGHTS;
        while (!fits(ceiling)) {
            ceiling += 4 << 20;
        }
        int before = 0;
        for (; before < CONTEXT; ceiling += 64 << 20) {
            EngineMemory memory = new EngineMemory(ceiling, () -> {});
            int context = memory.admit(
                    "m", new StepMemory(SMOLLM2, Device.CPU, true), WEIGHTS, CONTEXT, ROWS, SMOLLM2::kvBytes);
            assertThat(context).isBetween(Math.max(1, before), CONTEXT);
            assertThat(memory.bytes("m", context)).isLessThanOrEqualTo(memory.limit());
            before = context;
        }
    }

    @Test
    void chunksOfPrefillShrinkAsMemoryFills() {
        EngineMemory memory = of(2 * GB);
        int before = Integer.MAX_VALUE;
        for (long held = 0; held <= memory.limit(); held += memory.limit() / 16) {
            int room = memory.prefillRoom("m", StepShape.EMPTY, 0, 65536, held);
            assertThat(room).isBetween(32, before);
            before = room;
        }
        int empty = memory.prefillRoom("m", StepShape.EMPTY, 0, 65536, 0);
        assertThat(before).isLessThan(empty);
        assertThat(memory.prefillRoom("m", StepShape.EMPTY, 4000, 65536, 0)).isLessThan(empty);
        assertThat(memory.prefillRoom("m", StepShape.EMPTY.plusPrefill(0, 1000), 0, 65536, 0))
                .isLessThan(empty);
        assertThat(of(64 * GB).prefillRoom("m", StepShape.EMPTY, 0, 2048, 0)).isEqualTo(2048);
    }

    @Test
    void pressureClearsTheBufferCacheNowAndThen() {
        AtomicInteger cleared = new AtomicInteger();
        EngineMemory memory = new EngineMemory(GB, cleared::incrementAndGet);
        memory.shrinkCaches(1);
        memory.shrinkCaches(1);
        assertThat(cleared).hasValue(1);
    }
}
