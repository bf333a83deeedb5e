package dev.omlx.model.weights;

import dev.omlx.model.weights.CheckpointException.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Checks on tensors' shapes and places that both file formats share. */
final class TensorLayout {
    /** The most tensors that one file may describe; files of the largest models have some thousands. */
    static final int MAX_TENSORS = 1 << 18;

    private final Path file;

    TensorLayout(Path file) {
        this.file = file;
    }

    /** Refuses more tensors than that; called before another one is kept. */
    void requireCount(long tensors) {
        if (tensors > MAX_TENSORS) {
            throw CheckpointException.ofFile(
                    Kind.TOO_LARGE,
                    file,
                    "has " + tensors + " tensors or more, at most " + MAX_TENSORS + " are allowed");
        }
    }

    /** Refuses a dimension that is negative or beyond what an array shape can hold. */
    int dimension(String tensor, long value) {
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw fault(Kind.BAD_SHAPE, tensor, "dimension " + value + " is out of range");
        }
        return (int) value;
    }

    /** Refuses a shape with too many dimensions, called before more of them are kept. */
    void requireRank(String tensor, long rank) {
        if (rank < 0 || rank > TensorEntry.MAX_RANK) {
            throw fault(
                    Kind.BAD_SHAPE,
                    tensor,
                    Long.toUnsignedString(rank) + " dimensions, at most " + TensorEntry.MAX_RANK + " are allowed");
        }
    }

    /** Bytes that a tensor of this shape takes; refuses overflow and rows that do not divide into blocks. */
    long byteLength(String tensor, StoredType type, List<Integer> shape) {
        int rowLength = shape.isEmpty() ? 1 : shape.getLast();
        if (rowLength % type.blockSize() != 0) {
            throw fault(
                    Kind.BAD_SHAPE,
                    tensor,
                    "rows of " + rowLength + " elements do not divide into " + type + " blocks of " + type.blockSize());
        }
        try {
            long elements = 1;
            for (int dimension : shape) {
                elements = Math.multiplyExact(elements, dimension);
            }
            return type.byteLength(elements);
        } catch (ArithmeticException e) {
            throw fault(Kind.BAD_SHAPE, tensor, "shape " + shape + " of " + type + " overflows");
        }
    }

    /** Refuses tensors that share a byte. */
    void requireNoOverlap(Collection<TensorEntry> entries) {
        TensorEntry previous = null;
        for (TensorEntry entry : byPlace(entries)) {
            if (previous != null && entry.offset() < previous.end()) {
                throw overlap(previous, entry);
            }
            previous = entry;
        }
    }

    /** Refuses tensors that share a byte or leave one between {@code start} and {@code end} to nobody. */
    void requireTiling(Collection<TensorEntry> entries, long start, long end) {
        requireNoOverlap(entries);
        long covered = start;
        for (TensorEntry entry : byPlace(entries)) {
            if (entry.offset() != covered) {
                throw fault(
                        Kind.GAP,
                        entry.name(),
                        "the " + (entry.offset() - covered) + " bytes before it are no tensor's");
            }
            covered = entry.end();
        }
        if (covered != end) {
            throw CheckpointException.ofFile(Kind.GAP, file, "the last " + (end - covered) + " bytes are no tensor's");
        }
    }

    private CheckpointException overlap(TensorEntry first, TensorEntry second) {
        return fault(
                Kind.OVERLAP,
                second.name(),
                "begins at byte " + second.offset() + ", within tensor " + CheckpointException.quoted(first.name())
                        + " which ends at " + first.end());
    }

    private static List<TensorEntry> byPlace(Collection<TensorEntry> entries) {
        List<TensorEntry> sorted = new ArrayList<>(entries);
        sorted.sort(Comparator.comparingLong(TensorEntry::offset).thenComparingLong(TensorEntry::byteLength));
        return sorted;
    }

    private CheckpointException fault(Kind kind, String tensor, String fault) {
        return CheckpointException.ofTensor(kind, file, tensor, fault);
    }
}
