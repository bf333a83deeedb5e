package dev.omlx.kv.tensor;

import dev.omlx.mlx.Tensor;

/**
 * Keys and values of a run of positions in one layer, borrowed from the step's scope.
 *
 * @param keys {@code [1, kvHeads, positions, headDim]}
 * @param values {@code [1, kvHeads, positions, valueDim]}
 */
public record KeysValues(Tensor keys, Tensor values) {}
