package dev.omlx.model;

import dev.omlx.mlx.Quantization;
import dev.omlx.mlx.Quantization.Mode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@code quantization} block of {@code config.json}: one setting for the model and overrides by module path. An
 * override without a mode is affine whatever the model's mode, as in mlx-lm.
 */
final class QuantizationConfig {
    private static final String KEY = "quantization";
    private static final Set<Integer> AFFINE_BITS = Set.of(2, 3, 4, 5, 6, 8);
    private static final Set<Integer> AFFINE_GROUPS = Set.of(32, 64, 128);

    private final @Nullable ConfigReader block;

    private QuantizationConfig(@Nullable ConfigReader block) {
        this.block = block;
    }

    static QuantizationConfig read(ConfigReader config) {
        ConfigReader own = config.object(KEY);
        ConfigReader block = own != null ? own : config.object("quantization_config");
        // what other tools packed says so, and fails where its weights are looked for
        if (block != null && !block.has("quant_method")) {
            requireKnown(block);
        }
        return new QuantizationConfig(block);
    }

    private static void requireKnown(ConfigReader block) {
        quantization(block);
        for (String key : block.keys()) {
            if (block.raw(key) instanceof Map<?, ?>) {
                ConfigReader override = block.object(key);
                quantization(override != null ? override : block);
            }
        }
    }

    /** How the packed weights of that module are to be read. */
    Quantization of(String path, ConfigReader config) {
        if (block == null) {
            throw config.fault(KEY, "is missing, but the weights of " + path + " are quantised");
        }
        boolean overridden = block.has(path) && !(block.raw(path) instanceof Boolean);
        ConfigReader override = overridden ? block.object(path) : null;
        return quantization(override != null ? override : block);
    }

    private static Quantization quantization(ConfigReader block) {
        Mode mode = mode(block);
        int bits = block.count("bits");
        int group = block.count("group_size");
        boolean known = switch (mode) {
            case AFFINE -> AFFINE_BITS.contains(bits) && AFFINE_GROUPS.contains(group);
            case MXFP4 -> bits == 4 && group == 32;
            case MXFP8 -> bits == 8 && group == 32;
            case NVFP4 -> bits == 4 && group == 16;
        };
        if (!known) {
            throw block.fault(
                    "bits",
                    "is " + bits + " in groups of " + group + ", which mode " + mode.wireName() + " does not have");
        }
        return new Quantization(mode, bits, group);
    }

    private static Mode mode(ConfigReader block) {
        String name = block.text("mode");
        if (name == null) {
            return Mode.AFFINE;
        }
        try {
            return Mode.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw block.fault("mode", "is '" + ConfigReader.shown(name) + "', which is not supported");
        }
    }
}
