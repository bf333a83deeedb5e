package dev.omlx.model;

/** Mistral 7B and its kin: Llama with {@code head_dim} given, whose layers all see {@code sliding_window} if it is. */
final class Mistral implements Architecture {
    @Override
    public LanguageModel build(ConfigReader config, ModelWeights weights) {
        return Llama.build(new DecoderBuilder("mistral", config, weights), config, 0);
    }
}
