package dev.omlx.model;

import dev.omlx.kv.tensor.SequenceCache;
import dev.omlx.mlx.Device;
import dev.omlx.mlx.Mlx;
import dev.omlx.mlx.Tensor;
import dev.omlx.mlx.TensorScope;
import dev.omlx.nn.Embedding;
import dev.omlx.nn.Linear;
import dev.omlx.nn.RaggedBatch;
import dev.omlx.nn.RmsNorm;
import java.util.List;

/** A stack of decoder layers between an embedding and an output layer. Owns the weights behind all of them. */
final class DecoderModel implements LanguageModel {
    private final ModelShape shape;
    private final ModelWeights weights;
    private final Embedding embedding;
    private final List<DecoderLayer> layers;
    private final RmsNorm norm;
    private final Linear output;

    DecoderModel(
            ModelShape shape,
            ModelWeights weights,
            Embedding embedding,
            List<DecoderLayer> layers,
            RmsNorm norm,
            Linear output) {
        this.shape = shape;
        this.weights = weights;
        this.embedding = embedding;
        this.layers = List.copyOf(layers);
        this.norm = norm;
        this.output = output;
    }

    @Override
    public ModelShape shape() {
        return shape;
    }

    @Override
    public SequenceCache newCache(int expected) {
        return new SequenceCache(layers.size(), expected);
    }

    @Override
    public Tensor hidden(RaggedBatch batch) {
        Tensor x = embedding.lookup(batch.tokens());
        for (int i = 0; i < layers.size(); i++) {
            Tensor below = x;
            x = layer(i, below, batch);
            below.close();
            start(x);
        }
        return norm.apply(x);
    }

    private Tensor layer(int index, Tensor x, RaggedBatch batch) {
        return TensorScope.resultOf(() -> layers.get(index).apply(x, batch, index));
    }

    /**
     * The CPU's kernels would wait until the whole graph is built: MLX lets the host be only a hundred operations ahead of
     * them there, so that none is ready when a step begins. A GPU has the step before to compute meanwhile.
     */
    private static void start(Tensor layer) {
        if (Mlx.device() == Device.CPU) {
            Mlx.asyncEval(layer);
        }
    }

    @Override
    public Tensor logits(Tensor hidden) {
        return output.apply(hidden);
    }

    @Override
    public void close() {
        weights.close();
    }
}
