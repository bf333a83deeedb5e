package dev.omlx.model;

/** Qwen 2 and 2.5: Llama with biases on queries, keys and values. */
final class Qwen2 implements Architecture {
    @Override
    public LanguageModel build(ConfigReader config, ModelWeights weights) {
        DecoderBuilder decoder = new DecoderBuilder("qwen2", config, weights);
        return decoder.build(
                new DecoderBuilder.Traits(true, false, false, false, LayerWindows.ofQwen(config, decoder.layers())));
    }
}
