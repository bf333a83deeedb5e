package dev.omlx.model;

import dev.omlx.mlx.Ops;
import dev.omlx.mlx.Tensor;
import dev.omlx.nn.Attention;
import dev.omlx.nn.RaggedBatch;
import dev.omlx.nn.RmsNorm;
import dev.omlx.nn.SwiGlu;

/** A pre-norm transformer layer: attention, then the feed-forward block, each added to what came in. */
record DecoderLayer(RmsNorm attentionNorm, Attention attention, RmsNorm feedForwardNorm, SwiGlu feedForward) {
    Tensor apply(Tensor x, RaggedBatch batch, int index) {
        Tensor attended = Ops.add(x, attention.apply(attentionNorm.apply(x), batch, index));
        return Ops.add(attended, feedForward.apply(feedForwardNorm.apply(attended)));
    }
}
