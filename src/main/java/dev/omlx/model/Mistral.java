package dev.omlx.model;

/** Mistral 7B and its kin: Llama by another name, {@code head_dim} given. */
final class Mistral implements Architecture {
    private final Llama llama = new Llama();

    @Override
    public LanguageModel build(ConfigReader config, ModelWeights weights) {
        return llama.build(config, weights);
    }
}
