package dev.omlx.model;

import java.util.Collections;
import java.util.List;

/** Llama 2 and 3, and the many models of that shape; layers may see a sliding window ({@code layer_types}). */
final class Llama implements Architecture {
    private static final String SLIDING = "sliding_attention";
    private static final String FULL = "full_attention";

    @Override
    public LanguageModel build(ConfigReader config, ModelWeights weights) {
        DecoderBuilder decoder = new DecoderBuilder("llama", config, weights);
        boolean attentionBias = config.flag("attention_bias", false);
        return decoder.build(new DecoderBuilder.Traits(
                attentionBias,
                attentionBias,
                config.flag("mlp_bias", false),
                false,
                windows(config, decoder.layers())));
    }

    private static List<Integer> windows(ConfigReader config, int layers) {
        List<String> types = config.texts("layer_types");
        if (types == null) {
            return Collections.nCopies(layers, 0);
        }
        if (types.size() != layers) {
            throw config.fault("layer_types", "has " + types.size() + " entries for " + layers + " layers");
        }
        return types.stream().map(type -> window(config, type)).toList();
    }

    private static int window(ConfigReader config, String type) {
        return switch (type) {
            case SLIDING -> config.count("sliding_window");
            case FULL -> 0;
            default -> throw config.fault("layer_types", "has an entry '" + type + "'");
        };
    }
}
