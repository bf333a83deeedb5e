package dev.omlx.model.weights;

import java.util.List;

/**
 * One tensor of a file, as its header describes it and after every check against the file's real size.
 *
 * @param shape row-major, the last dimension runs fastest; empty for a scalar. GGUF's own order is the reverse of it
 * @param offset of the first byte, from the start of the file; not necessarily aligned
 * @param byteLength exactly what shape and type need
 */
public record TensorEntry(String name, StoredType type, List<Integer> shape, long offset, long byteLength) {
    /** The highest number of dimensions that is accepted. */
    public static final int MAX_RANK = 8;

    public TensorEntry {
        shape = List.copyOf(shape);
    }

    /** The shape as a fresh array. */
    public int[] dims() {
        return shape.stream().mapToInt(Integer::intValue).toArray();
    }

    public long elementCount() {
        return shape.stream().mapToLong(Integer::longValue).reduce(1, (a, b) -> a * b);
    }

    /** Elements of one row, which is the last dimension; 1 for a scalar. */
    public int rowLength() {
        return shape.isEmpty() ? 1 : shape.getLast();
    }

    /** Product of all dimensions but the last; 1 for a scalar or vector. */
    public long rows() {
        return shape.stream()
                .limit(Math.max(0, shape.size() - 1))
                .mapToLong(Integer::longValue)
                .reduce(1, (a, b) -> a * b);
    }

    long end() {
        return offset + byteLength;
    }
}
