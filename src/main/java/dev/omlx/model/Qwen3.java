package dev.omlx.model;

import java.util.Collections;

/** Qwen 3, dense: Llama with an RMS norm on each head of queries and keys. */
final class Qwen3 implements Architecture {
    @Override
    public LanguageModel build(ConfigReader config, ModelWeights weights) {
        DecoderBuilder decoder = new DecoderBuilder("qwen3", config, weights);
        return decoder.build(
                new DecoderBuilder.Traits(false, false, false, true, Collections.nCopies(decoder.layers(), 0)));
    }
}
