package dev.omlx.model;

/** Qwen 3, dense: Llama with an RMS norm on each head of queries and keys. */
final class Qwen3 implements Architecture {
    @Override
    public LanguageModel build(ConfigReader config, ModelWeights weights) {
        DecoderBuilder decoder = new DecoderBuilder("qwen3", config, weights);
        boolean attentionBias = config.flag("attention_bias", false);
        return decoder.build(new DecoderBuilder.Traits(
                attentionBias, attentionBias, false, true, LayerWindows.ofQwen(config, decoder.layers())));
    }
}
