package dev.omlx.model;

import dev.omlx.kv.tensor.LayerCache;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.FastOps;
import dev.omlx.mlx.Mlx;
import java.util.Set;

/**
 * Predicts what a step takes besides weights and KV cache: the tensors between its tokens and its result, at the moment
 * when most of them are there. MLX works some operations ahead of the one it computes, so a layer's intermediate tensors
 * and a few of the next layer's exist together, but never those of all layers. The factors are measured on the CPU: at
 * its worst a step takes half to all of the prediction there, as {@code StepMemoryIT} holds against MLX's own figure.
 *
 * @param device where it is computed; a GPU's attention kernels keep no scores, but its queue is longer
 * @param ownAttention whether attention is computed by our own kernel for the CPU, which keeps no scores either
 */
public record StepMemory(ModelShape shape, Device device, boolean ownAttention) {
    /** Tensors as wide as the residual stream that exist at once: it, its norm, queries, keys, values, their rotations. */
    private static final int HIDDEN_TENSORS = 12;

    /** The feed-forward block's: gate, up, their products. */
    private static final int INTERMEDIATE_TENSORS = 8;

    /** Bytes of a score and what softmax makes of it, which is in float32 whatever the type computed in. */
    private static final int SCORE_BYTES = 6;

    /** Float32 tensors as wide as the vocabulary, a row: logits, probabilities, their order and sums. */
    private static final int VOCABULARY_TENSORS = 16;

    /** A buffer that grows is copied, and so many of them may be under way: the old ones are still there then. */
    private static final int GROWING_LAYERS = 3;

    /** Ids, positions, masks, and what the allocator rounds up. */
    private static final long SMALL_TENSORS = 256 << 10;

    /** Up to ten command buffers of some 50 MB each wait in a GPU's queue. Not run on macOS. */
    private static final long GPU_QUEUE = 512 << 20;

    /** Head sizes for which Metal has an attention kernel that keeps no scores. */
    private static final Set<Integer> FUSED_HEADS = Set.of(64, 80, 128);

    /** Where MLX runs in this process. */
    public static StepMemory here(ModelShape shape) {
        return new StepMemory(shape, Mlx.device(), FastOps.hasOwnKernels(shape.dtype()));
    }

    /**
     * The most that such a step takes.
     *
     * @param tokens that the step computes
     * @param scored positions that they are scored against, those behind them in their chunk included, summed over the
     *     tokens
     * @param rows whose next token is wanted
     * @param longest positions of the longest sequence in it
     */
    public long bytes(int tokens, long scored, int rows, int longest) {
        long width = Math.max(shape.hidden(), (long) shape.heads() * shape.headDim());
        long perToken = HIDDEN_TENSORS * width + (long) INTERMEDIATE_TENSORS * shape.intermediate();
        long activations = tokens * perToken * shape.dtype().bytes() + scores(scored);
        long logits = (long) rows * shape.vocabulary() * VOCABULARY_TENSORS * Float.BYTES;
        return activations + logits + growth(longest) + SMALL_TENSORS + (device == Device.GPU ? GPU_QUEUE : 0);
    }

    private long scores(long scored) {
        boolean fused = device == Device.GPU ? FUSED_HEADS.contains(shape.headDim()) : ownAttention;
        return fused ? 0 : SCORE_BYTES * shape.heads() * scored;
    }

    private long growth(int longest) {
        long layer = shape.kvBytesPerToken() / shape.layers();
        return Math.min(GROWING_LAYERS, shape.layers()) * layer * (longest + LayerCache.CHUNK);
    }
}
