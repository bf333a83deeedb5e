package dev.omlx.nn;

import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.mlx.Tensor;
import java.util.List;

/**
 * All tokens of one step, those of a sequence side by side: rows that decode have one, prefill chunks have many. No
 * padding; only attention looks at the segments.
 *
 * @param tokens {@code [T]} ids
 * @param positions {@code [T]} int32, each token's place in its sequence
 * @param segments in row order, together covering all T rows
 */
public record RaggedBatch(Tensor tokens, Tensor positions, List<Segment> segments) {
    public RaggedBatch {
        segments = List.copyOf(segments);
    }

    /**
     * The rows of one sequence.
     *
     * @param start its first row
     * @param length its number of rows
     * @param cache where its keys and values stand and the new ones go
     */
    public record Segment(int start, int length, SequenceCache cache) {}
}
