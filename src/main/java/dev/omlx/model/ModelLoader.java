package dev.omlx.model;

import dev.omlx.mlx.DType;
import dev.omlx.mlx.TensorScope;
import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.GgufMetadata;
import dev.omlx.model.weights.TensorReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Loads models from disk: a directory of safetensors files with a {@code config.json}, or a GGUF file. */
public final class ModelLoader {
    private static final String CONFIG = "config.json";

    /** Configurations in the wild hold a bare {@code Infinity}. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private ModelLoader() {}

    /**
     * Loads all of a model's weights. On the engine thread.
     *
     * @throws ModelConfigException if the configuration cannot be used
     * @throws dev.omlx.model.weights.CheckpointException if a weight file is broken or does not fit the configuration
     */
    public static LanguageModel load(Path path, Precision precision) {
        try (Checkpoint checkpoint = Checkpoint.open(path);
                TensorReader reader = new TensorReader()) {
            GgufMetadata metadata = checkpoint.gguf().orElse(null);
            if (metadata != null) {
                ConfigReader config = new ConfigReader(name(path), GgufConfig.of(checkpoint, metadata));
                return build(config, new GgufSource(checkpoint, reader), precision);
            }
            Path file = path.resolve(CONFIG);
            ConfigReader config = new ConfigReader(file.toString(), read(file));
            return build(config, new SafetensorsSource(checkpoint, reader, config), precision);
        }
    }

    /**
     * What {@link #load} would make of it. Reads the configuration and the headers of the weight files and no weights;
     * needs no MLX. Never tells less than the model takes but for what the allocator rounds up.
     *
     * @throws ModelConfigException if the configuration cannot be used
     * @throws dev.omlx.model.weights.CheckpointException if a weight file is broken
     */
    public static LoadPlan plan(Path path, Precision precision) {
        try (Checkpoint checkpoint = Checkpoint.open(path);
                TensorReader reader = new TensorReader()) {
            GgufMetadata metadata = checkpoint.gguf().orElse(null);
            if (metadata != null) {
                ConfigReader config = new ConfigReader(name(path), GgufConfig.of(checkpoint, metadata));
                DType dtype = ModelWeights.dtype(new GgufSource(checkpoint, reader), precision);
                return plan(config, dtype, new WeightEstimate(checkpoint, dtype, precision.dequantize()).gguf());
            }
            Path file = path.resolve(CONFIG);
            ConfigReader config = new ConfigReader(file.toString(), read(file));
            DType dtype = ModelWeights.dtype(new SafetensorsSource(checkpoint, reader, config), precision);
            boolean tied = DecoderConfig.read(config).tiedEmbeddings();
            WeightEstimate estimate = new WeightEstimate(checkpoint, dtype, precision.dequantize());
            return plan(config, dtype, estimate.safetensors(QuantizationConfig.read(config), config, tied));
        }
    }

    private static LoadPlan plan(ConfigReader config, DType dtype, long weightBytes) {
        Architectures.of(config);
        return new LoadPlan(
                ModelShape.of(String.valueOf(config.text("model_type")), DecoderConfig.read(config), dtype),
                weightBytes);
    }

    private static LanguageModel build(ConfigReader config, WeightSource source, Precision precision) {
        Architecture architecture = Architectures.of(config);
        ModelWeights weights = new ModelWeights(source, precision);
        try (TensorScope scope = TensorScope.open()) {
            return architecture.build(config, weights);
        } catch (RuntimeException | Error e) {
            weights.close();
            throw e;
        }
    }

    private static Map<String, Object> read(Path file) {
        try {
            return JSON.readValue(Files.readAllBytes(file), new TypeReference<Map<String, Object>>() {});
        } catch (IOException e) {
            throw new ModelConfigException(file.toString(), CONFIG, "cannot be read: " + e.getMessage());
        } catch (JacksonException e) {
            throw new ModelConfigException(file.toString(), CONFIG, "is not JSON: " + e.getOriginalMessage());
        }
    }

    private static String name(Path path) {
        return path.toString();
    }
}
