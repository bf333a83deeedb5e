package dev.omlx.model;

import dev.omlx.files.FileFailures;
import dev.omlx.files.JsonFailures;
import dev.omlx.files.RegularFiles;
import dev.omlx.mlx.DType;
import dev.omlx.mlx.TensorScope;
import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.GgufMetadata;
import dev.omlx.model.weights.TensorReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Loads a model from disk: a directory of safetensors files with a {@code config.json}, or a GGUF file. Holds its files
 * open, so that their headers are read once for all that is to be known of it; the opener closes it when nobody reads
 * weights any more.
 */
public final class ModelLoader implements AutoCloseable {
    private static final String CONFIG = "config.json";

    /** Configurations in the wild hold a bare {@code Infinity}. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private final Checkpoint checkpoint;
    private final ConfigReader config;

    private ModelLoader(Checkpoint checkpoint, ConfigReader config) {
        this.checkpoint = checkpoint;
        this.config = config;
    }

    /**
     * Opens the files and reads the configuration and the headers. On any thread; needs no MLX.
     *
     * @throws ModelConfigException if the configuration cannot be read
     * @throws dev.omlx.model.weights.CheckpointException if a weight file is broken
     */
    public static ModelLoader open(Path path) {
        Checkpoint checkpoint = Checkpoint.open(path);
        try {
            return new ModelLoader(checkpoint, config(checkpoint));
        } catch (RuntimeException | Error e) {
            checkpoint.close();
            throw e;
        }
    }

    private static ConfigReader config(Checkpoint checkpoint) {
        Path file = checkpoint.path().resolve(CONFIG);
        return checkpoint
                .gguf()
                .map(metadata -> new ConfigReader(checkpoint.path().toString(), GgufConfig.of(checkpoint, metadata)))
                .orElseGet(() -> new ConfigReader(file.toString(), read(file)));
    }

    /** A directory or a file. */
    public Path path() {
        return checkpoint.path();
    }

    /** The key-value pairs of a GGUF file, readable on any thread and after {@link #close}; empty for safetensors. */
    public Optional<GgufMetadata> gguf() {
        return checkpoint.gguf();
    }

    /**
     * Loads all of the weights. On the engine thread.
     *
     * @throws ModelConfigException if the configuration cannot be used
     * @throws dev.omlx.model.weights.CheckpointException if a weight file does not fit the configuration
     */
    public LanguageModel load(Precision precision) {
        Architecture architecture = Architectures.of(config);
        try (TensorReader reader = new TensorReader();
                TensorScope scope = TensorScope.open()) {
            WeightSource source = source(reader);
            ModelWeights weights = new ModelWeights(source, precision);
            try {
                LanguageModel model = architecture.build(config, weights);
                source.requireAllRead();
                return model;
            } catch (RuntimeException | Error e) {
                weights.close();
                throw e;
            }
        }
    }

    /**
     * What {@link #load} would make of it. Reads no weights; needs no MLX. Never tells less than the model takes but for
     * what the allocator rounds up.
     *
     * @throws ModelConfigException if the configuration cannot be used
     */
    public LoadPlan plan(Precision precision) {
        Architectures.of(config);
        try (TensorReader reader = new TensorReader()) {
            DType dtype = ModelWeights.dtype(source(reader), precision);
            DecoderConfig decoder = DecoderConfig.read(config);
            WeightEstimate estimate = new WeightEstimate(checkpoint, dtype, precision.dequantize());
            return new LoadPlan(
                    ModelShape.of(String.valueOf(config.text("model_type")), decoder, dtype),
                    gguf().isPresent()
                            ? estimate.gguf()
                            : estimate.safetensors(QuantizationConfig.read(config), config, decoder.tiedEmbeddings()));
        }
    }

    private WeightSource source(TensorReader reader) {
        return gguf().isPresent()
                ? new GgufSource(checkpoint, reader)
                : new SafetensorsSource(checkpoint, reader, config);
    }

    @Override
    public void close() {
        checkpoint.close();
    }

    private static Map<String, Object> read(Path file) {
        try {
            JsonNode root = JSON.readTree(RegularFiles.read(file));
            if (!root.isObject()) {
                throw new ModelConfigException(file.toString(), "is not a JSON object");
            }
            return JSON.treeToValue(root, new TypeReference<Map<String, Object>>() {});
        } catch (IOException e) {
            throw new ModelConfigException(file.toString(), "cannot be read: " + FileFailures.reason(e));
        } catch (JacksonException e) {
            throw new ModelConfigException(file.toString(), JsonFailures.describe(e));
        }
    }
}
