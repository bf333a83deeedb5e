package dev.omlx.model;

import java.util.List;
import java.util.stream.IntStream;

/** How many positions each layer sees: {@code layer_types} and {@code sliding_window}. */
final class LayerWindows {
    private static final String WINDOW = "sliding_window";
    private static final String TYPES = "layer_types";

    /** What transformers takes where {@code max_window_layers} is missing. */
    private static final int DEFAULT_FULL_LAYERS = 28;

    private LayerWindows() {}

    /**
     * A number a layer, 0 for all positions.
     *
     * @param firstSliding the layer from which on all see only the window where the configuration does not list types
     */
    static List<Integer> read(ConfigReader config, int layers, int firstSliding) {
        int window = config.whole(WINDOW, 0, 0);
        List<String> types = config.texts(TYPES);
        if (types == null) {
            return IntStream.range(0, layers)
                    .mapToObj(layer -> layer < firstSliding ? 0 : window)
                    .toList();
        }
        if (types.size() != layers) {
            throw config.fault(TYPES, "has " + types.size() + " entries for " + layers + " layers");
        }
        return types.stream().map(type -> window(config, type)).toList();
    }

    private static int window(ConfigReader config, String type) {
        return switch (type) {
            case "sliding_attention" -> config.count(WINDOW);
            case "full_attention" -> 0;
            default -> throw config.fault(TYPES, "has an entry '" + ConfigReader.shown(type) + "'");
        };
    }

    /** What Qwen's models say: from {@code max_window_layers} on, if {@code use_sliding_window}. */
    static List<Integer> ofQwen(ConfigReader config, int layers) {
        int first = config.whole("max_window_layers", DEFAULT_FULL_LAYERS, 0);
        return read(config, layers, config.flag("use_sliding_window", false) ? first : layers);
    }
}
