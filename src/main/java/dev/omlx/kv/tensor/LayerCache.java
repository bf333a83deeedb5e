package dev.omlx.kv.tensor;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values of one sequence in one layer. The buffers have room from the start for what is known to come, grow by
 * whole chunks after that, and are updated in place: this class holds the only reference to them between steps, so MLX
 * writes into them instead of copying. Engine thread only.
 */
public final class LayerCache implements AutoCloseable {
    /** Positions by which a buffer grows. */
    public static final int CHUNK = 256;

    private @Nullable Tensor keys;
    private @Nullable Tensor values;
    private int length;

    private final int expected;

    /** @param expected positions that will surely come; buffers that grow towards them would be copied again and again */
    LayerCache(int expected) {
        this.expected = expected;
    }

    /** Positions held. */
    public int length() {
        return length;
    }

    /**
     * Puts new positions at the end.
     *
     * @param newKeys {@code [1, kvHeads, n, headDim]}
     * @param newValues {@code [1, kvHeads, n, valueDim]}
     * @param from the first position of the result, which lets a sliding window leave out what it cannot see
     * @return the positions from there to the new end
     */
    public KeysValues append(Tensor newKeys, Tensor newValues, int from) {
        int end = length + newKeys.dim(2);
        keys = write(keys, newKeys, end);
        values = write(values, newValues, end);
        length = end;
        return new KeysValues(view(keys, from, end), view(values, from, end));
    }

    /** A copy in buffers of its own. */
    static LayerCache copyOf(KeysValues held) {
        LayerCache copy = new LayerCache(0);
        copy.append(held);
        return copy;
    }

    void append(KeysValues more) {
        append(more.keys(), more.values(), 0);
    }

    /** The first positions, a view. */
    KeysValues first(int positions) {
        return new KeysValues(view(keys(), 0, positions), view(values(), 0, positions));
    }

    /** The whole buffer, {@code [1, kvHeads, capacity, headDim]}. */
    Tensor keys() {
        return Objects.requireNonNull(keys, "nothing is held yet");
    }

    /** The whole buffer, {@code [1, kvHeads, capacity, valueDim]}. */
    Tensor values() {
        return Objects.requireNonNull(values, "nothing is held yet");
    }

    private Tensor write(@Nullable Tensor buffer, Tensor rows, int end) {
        Tensor room = buffer;
        if (room == null || room.dim(2) < end) {
            room = grow(room, rows, end);
        }
        Tensor written = Ops.sliceUpdate(room, rows, at(0, 0, length, 0), at(1, rows.dim(1), end, rows.dim(3)))
                .keep();
        room.close();
        return written;
    }

    private Tensor grow(@Nullable Tensor buffer, Tensor rows, int end) {
        int capacity = Math.ceilDiv(Math.max(end, expected), CHUNK) * CHUNK;
        if (buffer == null) {
            return Ops.zeros(rows.dtype(), 1, rows.dim(1), capacity, rows.dim(3));
        }
        Tensor more = Ops.zeros(rows.dtype(), 1, rows.dim(1), capacity - buffer.dim(2), rows.dim(3));
        Tensor grown = Ops.concatenate(2, buffer, more);
        buffer.close();
        return grown;
    }

    private static Tensor view(Tensor buffer, int from, int end) {
        return Ops.slice(buffer, at(0, 0, from, 0), at(1, buffer.dim(1), end, buffer.dim(3)));
    }

    private static int[] at(int... positions) {
        return positions;
    }

    @Override
    public void close() {
        if (keys != null) {
            keys.close();
        }
        if (values != null) {
            values.close();
        }
        keys = null;
        values = null;
        length = 0;
    }
}
