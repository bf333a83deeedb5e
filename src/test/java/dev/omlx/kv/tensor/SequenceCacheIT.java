package dev.omlx.kv.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.testsupport.NativeMlx;
import dev.omlx.testsupport.NoTensorsLeft;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A copy of a cache and its original never show each other's changes. */
@ExtendWith(NoTensorsLeft.class)
class SequenceCacheIT {
    private static final int LAYERS = 2;
    private static final int WIDTH = 4;

    @BeforeAll
    static void start() {
        NativeMlx.start();
    }

    /** A cache beside the plain list that it should equal. */
    private record Twin(SequenceCache cache, List<Float> expected) {
        Twin fork(int positions) {
            return new Twin(cache.fork(positions), new ArrayList<>(expected.subList(0, positions)));
        }

        /** Appends positions, and checks what the last layer holds afterwards. */
        void append(Random random, int positions, boolean check) {
            float[] rows = new float[positions * WIDTH];
            for (int i = 0; i < positions; i++) {
                float value = random.nextInt(1000);
                expected.add(value);
                java.util.Arrays.fill(rows, i * WIDTH, (i + 1) * WIDTH, value);
            }
            for (int layer = 0; layer < LAYERS; layer++) {
                Tensor tensor = Tensor.of(rows, 1, 1, positions, WIDTH);
                KeysValues all = cache.layer(layer).append(tensor, tensor, 0);
                if (check) {
                    assertHolds(all.keys());
                    assertHolds(all.values());
                }
            }
        }

        private void assertHolds(Tensor tensor) {
            float[] values = tensor.toFloats();
            assertThat(values).hasSize(expected.size() * WIDTH);
            for (int i = 0; i < values.length; i++) {
                assertThat(values[i]).isEqualTo(expected.get(i / WIDTH));
            }
        }
    }

    @Test
    void copiesOfCopiesGoTheirOwnWays() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Twin> twins = new ArrayList<>(List.of(new Twin(new SequenceCache(LAYERS, 0), new ArrayList<>())));
        try (TensorScope scope = TensorScope.open()) {
            twins.getFirst().append(random, 1 + random.nextInt(300), random.nextBoolean());
        }
        for (int step = 0; step < 60; step++) {
            try (TensorScope scope = TensorScope.open()) {
                Twin twin = twins.get(random.nextInt(twins.size()));
                if (random.nextInt(4) == 0) {
                    twins.add(twin.fork(1 + random.nextInt(twin.cache.length())));
                } else {
                    twin.append(random, 1 + random.nextInt(random.nextBoolean() ? 2 : 200), random.nextBoolean());
                }
            }
        }
        try (TensorScope scope = TensorScope.open()) {
            twins.forEach(twin -> twin.append(random, 1, true));
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        } finally {
            twins.forEach(twin -> twin.cache.close());
        }
    }

    @Test
    void buffersHaveRoomForWhatIsExpectedAndGrowByChunksBehindIt() {
        Twin twin = new Twin(new SequenceCache(LAYERS, 1000), new ArrayList<>());
        try (TensorScope scope = TensorScope.open()) {
            Random random = new Random(1);
            twin.append(random, 3, true);
            assertThat(twin.cache.layer(0).keys().dim(2)).isEqualTo(1024);
            twin.append(random, 1021, true);
            assertThat(twin.cache.layer(0).keys().dim(2)).isEqualTo(1024);
            twin.append(random, 1, true);
            assertThat(twin.cache.layer(0).keys().dim(2)).isEqualTo(1280);
        } finally {
            twin.cache.close();
        }
    }

    @Test
    void onlyPositionsThatAreThereCanBeCopied() {
        Twin twin = new Twin(new SequenceCache(LAYERS, 0), new ArrayList<>());
        try (TensorScope scope = TensorScope.open()) {
            twin.append(new Random(1), 10, false);
            assertThatIllegalArgumentException().isThrownBy(() -> twin.cache.fork(11));
            assertThatIllegalArgumentException().isThrownBy(() -> twin.cache.fork(0));
        } finally {
            twin.cache.close();
        }
    }
}
