package dev.omlx.model;

import dev.omlx.model.weights.Checkpoint;
import dev.omlx.model.weights.GgufMetadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Says in the words of {@code config.json} what a GGUF file's metadata say. */
final class GgufConfig {
    /** A GGUF file's own RoPE factors, one a pair of dimensions. */
    static final String ROPE_FACTORS = "rope_freqs.weight";

    /** Those whose query and key rows are stored for the interleaved rotation. */
    private static final Set<String> INTERLEAVED = Set.of("llama");

    private GgufConfig() {}

    static Map<String, Object> of(Checkpoint checkpoint, GgufMetadata metadata) {
        String architecture = metadata.string("general.architecture");
        String prefix = architecture + ".";
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("model_type", architecture);
        config.put("rope_traditional", INTERLEAVED.contains(architecture));
        config.put("tie_word_embeddings", checkpoint.find("output.weight").isEmpty());
        putLong(config, "num_hidden_layers", metadata, prefix + "block_count");
        putLong(config, "hidden_size", metadata, prefix + "embedding_length");
        putLong(config, "intermediate_size", metadata, prefix + "feed_forward_length");
        putLong(config, "num_attention_heads", metadata, prefix + "attention.head_count");
        putLong(config, "num_key_value_heads", metadata, prefix + "attention.head_count_kv");
        putLong(config, "head_dim", metadata, prefix + "attention.key_length");
        putLong(config, "max_position_embeddings", metadata, prefix + "context_length");
        putDouble(config, "rms_norm_eps", metadata, prefix + "attention.layer_norm_rms_epsilon");
        putDouble(config, "rope_theta", metadata, prefix + "rope.freq_base");
        vocabulary(config, checkpoint, metadata, prefix);
        ropeScaling(config, checkpoint, metadata, prefix);
        return config;
    }

    private static void vocabulary(
            Map<String, Object> config, Checkpoint checkpoint, GgufMetadata metadata, String prefix) {
        putLong(config, "vocab_size", metadata, prefix + "vocab_size");
        if (!config.containsKey("vocab_size")) {
            config.put(
                    "vocab_size", checkpoint.tensor("token_embd.weight").shape().getFirst());
        }
    }

    private static void ropeScaling(
            Map<String, Object> config, Checkpoint checkpoint, GgufMetadata metadata, String prefix) {
        if (checkpoint.find(ROPE_FACTORS).isPresent()) {
            config.put("rope_scaling", Map.of("rope_type", RopeConfig.FACTORS));
            return;
        }
        metadata.findString(prefix + "rope.scaling.type")
                .filter(type -> !type.equals("none"))
                .ifPresent(type -> {
                    Map<String, Object> scaling = new LinkedHashMap<>();
                    scaling.put("rope_type", type);
                    putDouble(scaling, "factor", metadata, prefix + "rope.scaling.factor");
                    config.put("rope_scaling", scaling);
                });
    }

    private static void putLong(Map<String, Object> config, String key, GgufMetadata metadata, String from) {
        metadata.findLong(from).ifPresent(value -> config.put(key, value));
    }

    private static void putDouble(Map<String, Object> config, String key, GgufMetadata metadata, String from) {
        metadata.findDouble(from).ifPresent(value -> config.put(key, value));
    }
}
