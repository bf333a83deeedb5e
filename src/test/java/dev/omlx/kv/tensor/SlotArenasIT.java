package dev.omlx.kv.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.NoTensorsLeft;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sequences that come, decode, pause, outgrow their slots and go hold what was put into them, wherever it stands. */
@ExtendWith(NoTensorsLeft.class)
class SlotArenasIT {
    private static final int LAYERS = 2;
    private static final int DIM = 4;

    private final SlotArenas arenas = new SlotArenas();
    private final List<Twin> twins = new ArrayList<>();
    private float next = 1;
    /** A cache beside the plain list that it should equal. */
    private record Twin(SequenceCache cache, List<Float> expected) {}

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    @AfterEach
    void close() {
        twins.forEach(twin -> twin.cache.close());
    }

    private Tensor filled(float value, int count) {
        float[] values = new float[count * DIM];
        Arrays.fill(values, value);
        return Tensor.of(values, 1, 1, count, DIM);
    }

    private Twin twin(int positions) {
        Twin twin = new Twin(new SequenceCache(LAYERS, 0), new ArrayList<>());
        try (TensorScope scope = TensorScope.open()) {
            for (int i = 0; i < positions; i++) {
                twin.expected.add(next);
            }
            for (int layer = 0; layer < LAYERS; layer++) {
                twin.cache.layer(layer).append(filled(next, positions), filled(-next, positions), 0);
            }
        }
        next++;
        twins.add(twin);
        return twin;
    }

    /** One step in which these decode, as the attention of a layer does it. */
    private void decode(List<Twin> decoding) {
        try (TensorScope scope = TensorScope.open()) {
            arenas.arrange(decoding.stream().map(Twin::cache).toList());
            Map<SlotArena, Float[]> together = new HashMap<>();
            for (Twin twin : decoding) {
                twin.expected.add(next);
                SlotArena arena = twin.cache.arena();
                if (arena == null) {
                    for (int layer = 0; layer < LAYERS; layer++) {
                        twin.cache.layer(layer).append(filled(next, 1), filled(-next, 1), 0);
                    }
                } else {
                    together.computeIfAbsent(arena, any -> new Float[SlotArena.SLOTS])[twin.cache.slot()] = next;
                }
                next++;
            }
            together.forEach(SlotArenasIT::append);
        }
    }

    private static void append(SlotArena arena, Float[] news) {
        float[] values = new float[SlotArena.SLOTS * DIM];
        int[] at = new int[SlotArena.SLOTS];
        for (int slot = 0; slot < at.length; slot++) {
            Float value = news[slot];
            at[slot] = value == null ? arena.spare(slot) : arena.extend(slot);
            Arrays.fill(values, slot * DIM, (slot + 1) * DIM, value == null ? 0.5f : value);
        }
        Tensor keys = Tensor.of(values, SlotArena.SLOTS, 1, 1, DIM);
        for (int layer = 0; layer < LAYERS; layer++) {
            arena.append(layer, keys, Ops.negative(keys), Tensor.of(at, at.length, 1, 1, 1), 1);
        }
    }

    private void assertAllHoldTheirOwn() {
        for (Twin twin : twins) {
            int positions = twin.expected.size();
            assertThat(twin.cache.length()).isEqualTo(positions);
            try (TensorScope scope = TensorScope.open();
                    SequenceCache copy = twin.cache.fork(positions)) {
                for (int layer = 0; layer < LAYERS; layer++) {
                    KeysValues held = copy.layer(layer).first(positions);
                    float[] keys = Ops.contiguous(held.keys()).toFloats();
                    float[] values = Ops.contiguous(held.values()).toFloats();
                    for (int i = 0; i < keys.length; i++) {
                        assertThat(keys[i]).isEqualTo(twin.expected.get(i / DIM));
                        assertThat(values[i]).isEqualTo(-keys[i]);
                    }
                }
            }
        }
    }

    @RepeatedTest(8)
    void holdWhatWasPutIntoThem(RepetitionInfo repetition) {
        long seed = repetition.getCurrentRepetition();
        Random random = new Random(seed);
        System.out.println("seed " + seed);
        int most = 0;
        for (int step = 0; step < 120; step++) {
            if (twins.size() < 30 && random.nextInt(3) > 0) {
                int positions = random.nextInt(4) == 0 ? 200 + random.nextInt(100) : 1 + random.nextInt(60);
                twin(positions);
            }
            if (!twins.isEmpty() && random.nextInt(step < 60 ? 8 : 2) == 0) {
                twins.remove(random.nextInt(twins.size())).cache.close();
            }
            boolean pausing = random.nextInt(4) == 0;
            decode(twins.stream()
                    .filter(twin -> !pausing || random.nextBoolean())
                    .toList());
            most = Math.max(most, (int) seated().count());
            assertThat(freeSlots()).isLessThanOrEqualTo(SlotArena.SLOTS + SlotArenas.MOST_FREE);
            if (step % 10 == 0) {
                assertAllHoldTheirOwn();
            }
        }
        assertAllHoldTheirOwn();
        assertThat(most).as("of the sequences some shared buffers").isGreaterThanOrEqualTo(SlotArena.SLOTS);
    }

    private Stream<Twin> seated() {
        return twins.stream().filter(twin -> twin.cache.isSeated());
    }

    private long freeSlots() {
        long used = seated().count();
        long all = seated().map(twin -> twin.cache.arena()).distinct().count() * SlotArena.SLOTS;
        return all - used;
    }

    @Test
    void fewSequencesKeepTheirOwnBuffers() {
        for (int i = 0; i < SlotArenas.ENOUGH - 1; i++) {
            twin(10);
        }
        decode(twins);
        assertThat(seated()).isEmpty();
        twin(10);
        decode(twins);
        assertThat(seated()).hasSize(SlotArenas.ENOUGH);
        while (twins.size() >= SlotArena.SLOTS / 2) {
            twins.removeFirst().cache.close();
        }
        decode(twins);
        assertThat(seated()).isEmpty();
        assertAllHoldTheirOwn();
    }

    @Test
    void freeSlotsStayFew() {
        for (int i = 0; i < 4 * SlotArena.SLOTS; i++) {
            twin(10);
        }
        decode(twins);
        assertThat(seated()).hasSize(4 * SlotArena.SLOTS);
        for (int i = twins.size() - 1; i >= 0; i -= 2) {
            twins.remove(i).cache.close();
        }
        for (int step = 0; step < 4; step++) {
            decode(twins);
        }
        assertThat(freeSlots()).isLessThanOrEqualTo(SlotArenas.MOST_FREE);
        assertThat(seated()).hasSize(2 * SlotArena.SLOTS);
        assertAllHoldTheirOwn();
    }

    @Test
    void whatIsLostSaysHowMuch() {
        for (int i = 0; i < SlotArena.SLOTS; i++) {
            twin(10 + i);
        }
        decode(twins);
        arenas.lose();
        for (int i = 0; i < SlotArena.SLOTS; i++) {
            assertThat(twins.get(i).cache.lost()).isEqualTo(11 + i);
            assertThat(twins.get(i).cache.length()).isZero();
        }
    }
}
