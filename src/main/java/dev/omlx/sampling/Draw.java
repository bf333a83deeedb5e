package dev.omlx.sampling;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The random choice by weights, as a race (the Gumbel-max trick, arXiv:1411.0030): whoever has the greatest weight divided
 * by its own exponential random number wins. First blocks of the vocabulary race, by their sums, then the tokens of the
 * winning block, so that few random numbers are needed.
 *
 * <p>A row's numbers follow from its seed and position alone, and belong to tokens: the last bits of the weights, which
 * change with what else is in the step, matter only if two come in as good as together. Inverting a cumulative
 * distribution would shift the bounds of all tokens with them.
 */
final class Draw {
    /** Tokens of a block. */
    private static final int BLOCK = 256;

    /** Of a random number; its logarithm is not 0 as a float32. */
    private static final double SMALLEST = 0x1p-60;

    private Draw() {}

    /**
     * @param weights {@code [rows, vocabulary]}, none negative, one a row positive
     * @return {@code [rows]} int32
     */
    static Tensor of(Tensor weights, List<SequenceSampling> rows) {
        int count = weights.dim(0);
        int blocks = (weights.dim(1) + BLOCK - 1) / BLOCK;
        Tensor noise = noise(rows, blocks + BLOCK);
        Tensor table = Ops.reshape(pad(weights, blocks * BLOCK), count * blocks, BLOCK);
        Tensor sums = Ops.reshape(Ops.sum(table), count, blocks);
        Tensor block = Ops.astype(Ops.argmax(Ops.divide(sums, Ops.slice(noise, 1, 0, blocks))), DType.INT32);
        Tensor first = Ops.multiply(Ops.arange(0, count), blocks);
        Tensor tokens = Ops.take(table, Ops.add(first, block), 0);
        Tensor token = Ops.argmax(Ops.divide(tokens, Ops.slice(noise, 1, blocks, blocks + BLOCK)));
        return Ops.add(Ops.multiply(block, BLOCK), Ops.astype(token, DType.INT32));
    }

    private static Tensor pad(Tensor weights, int width) {
        int missing = width - weights.dim(1);
        return missing == 0
                ? weights
                : Ops.concatenate(1, weights, Ops.zeros(weights.dtype(), weights.dim(0), missing));
    }

    /** {@code [rows, count]} exponential random numbers of rate 1, none of them 0. */
    private static Tensor noise(List<SequenceSampling> rows, int count) {
        float[] noise = new float[rows.size() * count];
        int next = 0;
        for (SequenceSampling row : rows) {
            SplittableRandom random = new SplittableRandom(row.parameters().seedAt(row.answered()));
            for (int i = 0; i < count; i++) {
                noise[next++] = (float) -Math.log1p(-random.nextDouble(SMALLEST, 1));
            }
        }
        return Tensor.of(noise, rows.size(), count);
    }
}
