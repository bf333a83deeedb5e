package dev.omlx.model;

import dev.omlx.nn.Attention;
import dev.omlx.nn.Embedding;
import dev.omlx.nn.Linear;
import dev.omlx.nn.RmsNorm;
import dev.omlx.nn.Rope;
import dev.omlx.nn.SwiGlu;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds llama-shaped decoders, whose tensors are named {@code model.layers.N.self_attn.q_proj} and so on. What differs
 * between architectures are the arguments of {@link #build}.
 */
final class DecoderBuilder {
    private static final String LAYERS = "model.layers.";

    private final String architecture;
    private final ConfigReader reader;
    private final DecoderConfig config;
    private final ModelWeights weights;
    private final Rope rope;

    DecoderBuilder(String architecture, ConfigReader reader, ModelWeights weights) {
        this.architecture = architecture;
        this.reader = reader;
        this.config = DecoderConfig.read(reader);
        this.weights = weights;
        this.rope = RopeConfig.read(reader, config.headDim(), weights);
    }

    int layers() {
        return config.layers();
    }

    /**
     * Which projections carry a bias, and which layers see only a window.
     *
     * @param headNorms an RMS norm on each head of queries and keys
     * @param windows positions a layer sees, a number a layer; 0 means all
     */
    record Traits(boolean qkvBias, boolean outputBias, boolean mlpBias, boolean headNorms, List<Integer> windows) {}

    LanguageModel build(Traits traits) {
        reader.only("use_qk_norm", traits.headNorms());
        reader.only("mlp_bias", traits.mlpBias());
        Embedding embedding = weights.embedding(ModelWeights.EMBEDDING, config.vocabulary(), config.hidden());
        List<DecoderLayer> layers = new ArrayList<>(config.layers());
        for (int i = 0; i < config.layers(); i++) {
            layers.add(layer(LAYERS + i + ".", traits, traits.windows().get(i)));
        }
        RmsNorm norm = norm("model.norm", config.hidden());
        Linear output = config.tiedEmbeddings()
                ? embedding.asOutput()
                : weights.linear(ModelWeights.OUTPUT, config.vocabulary(), config.hidden(), false);
        ModelShape shape = ModelShape.of(architecture, config, weights.dtype());
        return new DecoderModel(shape, weights, embedding, layers, norm, output);
    }

    private DecoderLayer layer(String prefix, Traits traits, int window) {
        return new DecoderLayer(
                norm(prefix + "input_layernorm", config.hidden()),
                attention(prefix + "self_attn.", traits, window),
                norm(prefix + "post_attention_layernorm", config.hidden()),
                feedForward(prefix + "mlp.", traits.mlpBias()));
    }

    private Attention attention(String prefix, Traits traits, int window) {
        int dim = config.headDim();
        int queries = config.heads() * dim;
        int keys = config.kvHeads() * dim;
        return new Attention(
                weights.linear(prefix + "q_proj", queries, config.hidden(), traits.qkvBias()),
                weights.linear(prefix + "k_proj", keys, config.hidden(), traits.qkvBias()),
                weights.linear(prefix + "v_proj", keys, config.hidden(), traits.qkvBias()),
                weights.linear(prefix + "o_proj", config.hidden(), queries, traits.outputBias()),
                traits.headNorms() ? norm(prefix + "q_norm", dim) : null,
                traits.headNorms() ? norm(prefix + "k_norm", dim) : null,
                rope,
                new Attention.Heads(config.heads(), config.kvHeads(), dim, (float) (1 / Math.sqrt(dim))),
                window);
    }

    private SwiGlu feedForward(String prefix, boolean bias) {
        return new SwiGlu(
                weights.linear(prefix + "gate_proj", config.intermediate(), config.hidden(), bias),
                weights.linear(prefix + "up_proj", config.intermediate(), config.hidden(), bias),
                weights.linear(prefix + "down_proj", config.hidden(), config.intermediate(), bias));
    }

    private RmsNorm norm(String path, int size) {
        return weights.norm(path, size, config.normEpsilon());
    }
}
