package dev.omlx.model;

/** Llama 2 and 3, and the many models of that shape; layers may see a sliding window ({@code layer_types}). */
final class Llama implements Architecture {
    @Override
    public LanguageModel build(ConfigReader config, ModelWeights weights) {
        DecoderBuilder decoder = new DecoderBuilder("llama", config, weights);
        // of itself sliding_window means nothing here, as in mlx-lm and transformers
        return build(decoder, config, decoder.layers());
    }

    /** @param firstSliding as in {@link LayerWindows#read} */
    static LanguageModel build(DecoderBuilder decoder, ConfigReader config, int firstSliding) {
        boolean attentionBias = config.flag("attention_bias", false);
        return decoder.build(new DecoderBuilder.Traits(
                attentionBias,
                attentionBias,
                config.flag("mlp_bias", false),
                false,
                LayerWindows.read(config, decoder.layers(), firstSliding)));
    }
}
