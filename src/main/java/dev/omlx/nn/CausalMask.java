package dev.omlx.nn;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;

/**
 * Which positions the tokens of a chunk see: those before them and themselves.
 *
 * @param length tokens of the chunk
 * @param before positions before its first token
 * @param window how many positions a token sees, itself included; 0 means all
 */
record CausalMask(int length, int before, int window) {
    /** Whether a token is too far from some position to see it. */
    boolean narrow() {
        return window > 0 && before + length > window;
    }

    /** {@code [length, before + length]}: true where a token may look. */
    Tensor allowed() {
        Tensor row = Ops.reshape(Ops.arange(before, before + length), length, 1);
        Tensor column = Ops.reshape(Ops.arange(0, before + length), 1, before + length);
        Tensor distance = Ops.subtract(row, column);
        Tensor seen = Ops.greaterEqual(distance, Tensor.scalar(0, distance.dtype()));
        return narrow() ? Ops.logicalAnd(seen, Ops.less(distance, Tensor.scalar(window, distance.dtype()))) : seen;
    }
}
