package dev.omlx.model.weights;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A tensor together with the open file that holds it; borrowed from a {@link Checkpoint} and usable until that is
 * closed.
 */
public record StoredTensor(WeightFile file, TensorEntry entry) {
    public String name() {
        return entry.name();
    }

    public StoredType type() {
        return entry.type();
    }

    /** Row-major shape, in elements. */
    public List<Integer> shape() {
        return entry.shape();
    }

    /** See {@link WeightFile#data}. */
    public MemorySegment data() {
        return file.data(entry);
    }

    /** See {@link WeightFile#copyTo}. */
    public void copyTo(MemorySegment target) {
        file.copyTo(entry, target);
    }
}
