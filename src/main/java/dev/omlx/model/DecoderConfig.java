package dev.omlx.model;

/**
 * The sizes that all decoder architectures share, read from {@code config.json} and checked against each other.
 *
 * @param kvHeads {@code num_key_value_heads}, by default as many as query heads
 * @param headDim {@code head_dim}, by default {@code hidden_size / num_attention_heads}
 */
record DecoderConfig(
        int layers,
        int hidden,
        int intermediate,
        int heads,
        int kvHeads,
        int headDim,
        int vocabulary,
        int contextLength,
        float normEpsilon,
        boolean tiedEmbeddings) {

    /** What mlx-lm takes where {@code max_position_embeddings} is missing. */
    private static final int DEFAULT_CONTEXT = 32768;

    private static final int MOST_LAYERS = 1000;

    static DecoderConfig read(ConfigReader config) {
        int hidden = config.count("hidden_size");
        int heads = config.count("num_attention_heads");
        int kvHeads = config.count("num_key_value_heads", heads);
        int layers = config.count("num_hidden_layers");
        if (layers > MOST_LAYERS) {
            throw config.fault("num_hidden_layers", "is " + layers + ", more than " + MOST_LAYERS);
        }
        if (heads % kvHeads != 0) {
            throw config.fault("num_key_value_heads", "is " + kvHeads + ", which does not divide " + heads + " heads");
        }
        if (!config.has("head_dim") && hidden % heads != 0) {
            throw config.fault("num_attention_heads", "is " + heads + ", which does not divide hidden_size " + hidden);
        }
        int headDim = config.count("head_dim", Math.max(1, hidden / heads));
        if (headDim % 2 != 0) {
            throw config.fault("head_dim", "is " + headDim + ", and RoPE needs an even number");
        }
        FixedSettings.require(config, headDim);
        return new DecoderConfig(
                layers,
                hidden,
                config.count("intermediate_size"),
                heads,
                kvHeads,
                headDim,
                config.count("vocab_size"),
                config.count("max_position_embeddings", DEFAULT_CONTEXT),
                config.positive("rms_norm_eps", 1e-6),
                config.flag("tie_word_embeddings", true));
    }
}
