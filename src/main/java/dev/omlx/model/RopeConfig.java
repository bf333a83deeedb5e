package dev.omlx.model;

import dev.omlx.mlx.Tensor;
import dev.omlx.nn.Rope;
import java.util.Map;

/**
 * Builds {@link Rope} from {@code rope_theta}, {@code rope_scaling} (or {@code rope_parameters}, which newer files have
 * for both) and {@code rope_traditional}.
 */
final class RopeConfig {
    /** The type of a GGUF file that brings its own factors. */
    static final String FACTORS = "factors";

    private static final double DEFAULT_THETA = 10_000;

    private RopeConfig() {}

    static Rope read(ConfigReader config, int dimensions, ModelWeights weights) {
        ConfigReader parameters = config.object("rope_parameters");
        ConfigReader older = config.object("rope_scaling");
        ConfigReader scaling = older != null ? older : parameters;
        ConfigReader thetaFrom = parameters != null && parameters.has("rope_theta") ? parameters : config;
        float theta = thetaFrom.positive("rope_theta", DEFAULT_THETA);
        boolean interleaved = config.flag("rope_traditional", false);
        Rope plain = new Rope(dimensions, interleaved, theta, 1, null);
        return scaling == null ? plain : scaled(plain, scaling, weights);
    }

    private static Rope scaled(Rope plain, ConfigReader scaling, ModelWeights weights) {
        scaling.only("partial_rotary_factor", 1);
        int dimensions = plain.dimensions();
        float theta = plain.base();
        String type = type(scaling);
        return switch (type) {
            case "default" -> plain;
            case "linear" -> new Rope(dimensions, plain.interleaved(), theta, 1 / required(scaling, "factor"), null);
            case "llama3" ->
                new Rope(dimensions, plain.interleaved(), theta, 1, weights.own(llama3(scaling, theta, dimensions)));
            case FACTORS ->
                new Rope(dimensions, plain.interleaved(), theta, 1, weights.own(factored(weights, theta, dimensions)));
            default -> throw scaling.fault(typeKey(scaling), "is '" + type + "', which is not supported");
        };
    }

    private static String type(ConfigReader scaling) {
        for (String key : scaling.keys()) {
            if (scaling.raw(key) instanceof Map<?, ?>) {
                throw scaling.fault(key, "is an object; RoPE of its own for a type of layers is not supported");
            }
        }
        String type = scaling.text(typeKey(scaling));
        return type == null ? "default" : type;
    }

    private static String typeKey(ConfigReader scaling) {
        return scaling.has("rope_type") ? "rope_type" : "type";
    }

    /**
     * Llama 3's wavelengths: those longer than the original context stretch by the factor, those shorter than a part of
     * it stay, and those between are blended. Keys of {@code rope_scaling}: {@code factor}, {@code low_freq_factor},
     * {@code high_freq_factor}, {@code original_max_position_embeddings}.
     */
    private static Tensor llama3(ConfigReader scaling, float theta, int dimensions) {
        double factor = required(scaling, "factor");
        double low = scaling.positive("low_freq_factor", 1);
        double high = scaling.positive("high_freq_factor", 4);
        double context = scaling.positive("original_max_position_embeddings", 8192);
        if (high <= low) {
            throw scaling.fault("high_freq_factor", "is " + high + ", not above low_freq_factor " + low);
        }
        float[] wavelengths = new float[dimensions / 2];
        for (int i = 0; i < wavelengths.length; i++) {
            double frequency = Math.pow(theta, 2.0 * i / dimensions);
            double wavelength = 2 * Math.PI * frequency;
            double smooth = Math.clamp((context / wavelength - low) / (high - low), 0, 1);
            wavelengths[i] = (float) (frequency / ((1 - smooth) / factor + smooth));
        }
        return Tensor.of(wavelengths, wavelengths.length);
    }

    private static Tensor factored(ModelWeights weights, float theta, int dimensions) {
        float[] wavelengths =
                weights.tensor(GgufConfig.ROPE_FACTORS, dimensions / 2).toFloats();
        for (int i = 0; i < wavelengths.length; i++) {
            wavelengths[i] *= (float) Math.pow(theta, 2.0 * i / dimensions);
        }
        return Tensor.of(wavelengths, wavelengths.length);
    }

    private static float required(ConfigReader scaling, String key) {
        if (!scaling.has(key)) {
            throw scaling.fault(key, "is missing");
        }
        return scaling.positive(key, 1);
    }
}
