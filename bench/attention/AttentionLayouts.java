import dev.omlx.ffi.NativeSearch;
import dev.omlx.mlx.DType;
import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.FastOps.Mask;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Times the attention part of a decode step, new keys and values included, over layouts of the KV cache. Host time is
 * what building and launching the graph takes, total time goes until the result is there; both a layer, median of the
 * rounds. Layouts take turns within a round. Run it with the executable jar as the class path.
 */
final class AttentionLayouts {
    private static final int CHUNK = 256;
    private static final int LAYERS = 6;
    private static final int[] ROWS = {1, 8, 32};
    private static final int[] CONTEXTS = {128, 2048, 8192};

    record Shape(String name, int heads, int kvHeads, int dim) {}

    private static final List<Shape> SHAPES =
            List.of(new Shape("SmolLM2-135M", 9, 3, 64), new Shape("tiny", 4, 2, 16));

    /** One layer's step: writes the new keys and values, attends. */
    interface Layout extends AutoCloseable {
        Tensor step(int layer, Tensor queries, Tensor keys, Tensor values);

        @Override
        void close();
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 9;
        Mlx.start(new NativeSearch(null, Path.of(""), Path.of("target", "native")));
        System.out.printf(
                "| model | rows | context | layout | host µs | total µs |%n|---|---:|---:|---|---:|---:|%n");
        for (Shape shape : SHAPES) {
            for (int rows : ROWS) {
                for (int context : CONTEXTS) {
                    compare(shape, rows, context, rounds);
                }
            }
        }
    }

    /** Contexts differ: row i has between half of the context and all of it. */
    private static int[] lengths(int rows, int context) {
        Random random = new Random(1);
        int[] lengths = new int[rows];
        Arrays.setAll(lengths, i -> i == 0 ? context : context / 2 + random.nextInt(context / 2));
        return lengths;
    }

    private static void compare(Shape shape, int rows, int context, int rounds) {
        String[] names = {"per sequence", "per sequence, folded", "arena", "arena, folded", "arena, row writes, folded"};
        long[][] host = new long[names.length][rounds];
        long[][] total = new long[names.length][rounds];
        float[] expected = null;
        for (int layout = 0; layout < names.length; layout++) {
            try (TensorScope outer = TensorScope.open();
                    Layout made = layout < 2
                            ? new PerSequence(shape, lengths(rows, context), layout == 1)
                            : new Arenas(shape, lengths(rows, context), layout >= 3, layout == 4)) {
                for (int warm = 0; warm < 3; warm++) {
                    float[] result = time(made, shape, rows, null, null, 0);
                    if (warm == 0 && expected == null) {
                        expected = result;
                    } else if (warm == 0) {
                        requireEqual(expected, result);
                    }
                }
                for (int round = 0; round < rounds; round++) {
                    time(made, shape, rows, host[layout], total[layout], round);
                }
            }
        }
        for (int layout = 0; layout < names.length; layout++) {
            System.out.printf(Locale.ROOT, "| %s | %d | %d | %s | %.0f | %.0f |%n", shape.name, rows, context,
                    names[layout], median(host[layout]) / 1e3 / LAYERS, median(total[layout]) / 1e3 / LAYERS);
        }
    }

    private static float[] time(Layout layout, Shape shape, int rows, long[] host, long[] total, int round) {
        try (TensorScope scope = TensorScope.open()) {
            Tensor queries = values(rows, shape.heads, shape.dim, 1);
            Tensor keys = values(rows, shape.kvHeads, shape.dim, 2);
            Tensor values = values(rows, shape.kvHeads, shape.dim, 3);
            long start = System.nanoTime();
            for (int layer = 0; layer < LAYERS; layer++) {
                queries = layout.step(layer, queries, keys, values);
            }
            Mlx.asyncEval(queries);
            long launched = System.nanoTime();
            queries.eval();
            long end = System.nanoTime();
            if (host != null) {
                host[round] = launched - start;
                total[round] = end - start;
            }
            return queries.toFloats();
        }
    }

    private static Tensor values(int rows, int heads, int dim, int seed) {
        Random random = new Random(seed);
        float[] values = new float[rows * heads * dim];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat() - 0.5f;
        }
        return Tensor.of(values, rows, heads, 1, dim).eval();
    }

    private static void requireEqual(float[] expected, float[] actual) {
        for (int i = 0; i < expected.length; i++) {
            if (Math.abs(expected[i] - actual[i]) > 1e-4) {
                throw new AssertionError("layouts differ at " + i + ": " + expected[i] + " and " + actual[i]);
            }
        }
    }

    private static double median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static int capacity(int length) {
        return (length + 64 + CHUNK - 1) / CHUNK * CHUNK;
    }

    /** {@code [1, kvHeads, capacity, dim]} with the same values at the same positions in every layout. */
    private static Tensor filled(Shape shape, int capacity) {
        Tensor ramp = Ops.multiply(Ops.astype(Ops.arange(0, capacity), DType.FLOAT32), 1e-4);
        return Ops.add(Ops.zeros(DType.FLOAT32, 1, shape.kvHeads, capacity, shape.dim), Ops.reshape(ramp, capacity, 1));
    }

    /** Queries of one group of heads as rows of one matrix: with one query a head no mask is needed. */
    private static Tensor attend(Tensor queries, Tensor keys, Tensor values, Shape shape, Mask mask, boolean folded) {
        float scale = (float) (1 / Math.sqrt(shape.dim));
        if (!folded) {
            return FastOps.attention(queries, keys, values, scale, mask);
        }
        int rows = queries.dim(0);
        Tensor grouped = Ops.reshape(queries, rows, shape.kvHeads, shape.heads / shape.kvHeads, shape.dim);
        return Ops.reshape(
                FastOps.attention(grouped, keys, values, scale, mask), rows, shape.heads, 1, shape.dim);
    }

    /** One pair of buffers a sequence and layer. */
    private static final class PerSequence implements Layout {
        private final Shape shape;
        private final boolean folded;
        private final int[] lengths;
        private final Tensor[][] keys;
        private final Tensor[][] values;

        PerSequence(Shape shape, int[] lengths, boolean folded) {
            this.shape = shape;
            this.folded = folded;
            this.lengths = lengths.clone();
            keys = new Tensor[LAYERS][lengths.length];
            values = new Tensor[LAYERS][lengths.length];
            for (int layer = 0; layer < LAYERS; layer++) {
                for (int row = 0; row < lengths.length; row++) {
                    try (TensorScope scope = TensorScope.open()) {
                        keys[layer][row] = filled(shape, capacity(lengths[row])).eval().keep();
                        values[layer][row] = filled(shape, capacity(lengths[row])).eval().keep();
                    }
                }
            }
        }

        @Override
        public Tensor step(int layer, Tensor queries, Tensor newKeys, Tensor newValues) {
            Tensor[] attended = new Tensor[lengths.length];
            for (int row = 0; row < attended.length; row++) {
                keys[layer][row] = write(keys[layer][row], slice(newKeys, row), lengths[row]);
                values[layer][row] = write(values[layer][row], slice(newValues, row), lengths[row]);
                attended[row] = attend(
                        slice(queries, row),
                        view(keys[layer][row], lengths[row] + 1),
                        view(values[layer][row], lengths[row] + 1),
                        shape,
                        Mask.NONE,
                        folded);
            }
            if (layer == LAYERS - 1) {
                Arrays.setAll(lengths, row -> lengths[row] + 1);
            }
            return attended.length == 1 ? attended[0] : Ops.concatenate(0, attended);
        }

        private static Tensor slice(Tensor all, int row) {
            return all.dim(0) == 1 ? all : Ops.slice(all, 0, row, row + 1);
        }

        private static Tensor write(Tensor buffer, Tensor rows, int at) {
            Tensor written = Ops.sliceUpdate(
                            buffer, rows, new int[] {0, 0, at, 0}, new int[] {1, rows.dim(1), at + 1, rows.dim(3)})
                    .keep();
            buffer.close();
            return written;
        }

        private static Tensor view(Tensor buffer, int end) {
            return Ops.slice(buffer, 2, 0, end);
        }

        @Override
        public void close() {
            for (Tensor[][] all : List.of(keys, values)) {
                for (Tensor[] layer : all) {
                    for (Tensor buffer : layer) {
                        buffer.close();
                    }
                }
            }
        }
    }

    /** One pair of buffers a capacity and layer, a slot a sequence, attended with a mask of the lengths. */
    private static final class Arenas implements Layout {
        private final Shape shape;
        private final boolean folded;
        private final boolean rowWrites;
        private final int[] lengths;
        private final List<int[]> buckets = new ArrayList<>();
        private final List<Tensor[]> keys = new ArrayList<>();
        private final List<Tensor[]> values = new ArrayList<>();
        private final List<Tensor> members = new ArrayList<>();
        private final Tensor back;

        Arenas(Shape shape, int[] lengths, boolean folded, boolean rowWrites) {
            this.shape = shape;
            this.folded = folded;
            this.rowWrites = rowWrites;
            this.lengths = lengths.clone();
            int[] place = new int[lengths.length];
            int next = 0;
            for (int capacity : Arrays.stream(lengths).map(AttentionLayouts::capacity).distinct().toArray()) {
                int[] bucket = java.util.stream.IntStream.range(0, lengths.length)
                        .filter(row -> capacity(lengths[row]) == capacity)
                        .toArray();
                buckets.add(bucket);
                members.add(Tensor.of(bucket, bucket.length).keep());
                keys.add(arena(bucket.length, capacity));
                values.add(arena(bucket.length, capacity));
                for (int row : bucket) {
                    place[row] = next++;
                }
            }
            back = Tensor.of(place, place.length).keep();
        }

        private Tensor[] arena(int slots, int capacity) {
            Tensor[] layers = new Tensor[LAYERS];
            for (int layer = 0; layer < LAYERS; layer++) {
                try (TensorScope scope = TensorScope.open()) {
                    Tensor zeros = Ops.zeros(DType.FLOAT32, slots, shape.kvHeads, capacity, shape.dim);
                    layers[layer] = Ops.add(zeros, filled(shape, capacity)).eval().keep();
                }
            }
            return layers;
        }

        @Override
        public Tensor step(int layer, Tensor queries, Tensor newKeys, Tensor newValues) {
            Tensor[] attended = new Tensor[buckets.size()];
            for (int i = 0; i < attended.length; i++) {
                attended[i] = bucket(i, layer, queries, newKeys, newValues);
            }
            if (layer == LAYERS - 1) {
                Arrays.setAll(lengths, row -> lengths[row] + 1);
            }
            return attended.length == 1 ? attended[0] : Ops.take(Ops.concatenate(0, attended), back, 0);
        }

        private Tensor bucket(int i, int layer, Tensor queries, Tensor newKeys, Tensor newValues) {
            int[] rows = buckets.get(i);
            int[] at = Arrays.stream(rows).map(row -> lengths[row]).toArray();
            Tensor positions = Tensor.of(at, at.length, 1, 1, 1);
            keys.get(i)[layer] = write(keys.get(i)[layer], own(newKeys, i), positions, at);
            values.get(i)[layer] = write(values.get(i)[layer], own(newValues, i), positions, at);
            int longest = Arrays.stream(at).max().orElseThrow() + 1;
            Tensor seenKeys = Ops.slice(keys.get(i)[layer], 2, 0, longest);
            Tensor seenValues = Ops.slice(values.get(i)[layer], 2, 0, longest);
            Tensor column = Ops.reshape(Ops.arange(0, longest), 1, 1, 1, longest);
            Mask mask = new Mask.Boolean(Ops.greaterEqual(positions, column));
            return attend(own(queries, i), seenKeys, seenValues, shape, mask, folded);
        }

        private Tensor own(Tensor all, int i) {
            return buckets.size() == 1 ? all : Ops.take(all, members.get(i), 0);
        }

        private Tensor write(Tensor arena, Tensor rows, Tensor positions, int[] at) {
            if (!rowWrites) {
                Tensor written = Ops.putAlong(arena, positions, rows, 2).keep();
                arena.close();
                return written;
            }
            Tensor written = arena;
            for (int row = 0; row < at.length; row++) {
                Tensor next = Ops.sliceUpdate(written, Ops.slice(rows, 0, row, row + 1), new int[] {row, 0, at[row], 0},
                                new int[] {row + 1, rows.dim(1), at[row] + 1, rows.dim(3)})
                        .keep();
                written.close();
                written = next;
            }
            return written;
        }

        @Override
        public void close() {
            for (List<Tensor[]> all : List.of(keys, values)) {
                all.forEach(layers -> Arrays.stream(layers).forEach(Tensor::close));
            }
            members.forEach(Tensor::close);
            back.close();
        }
    }
}
