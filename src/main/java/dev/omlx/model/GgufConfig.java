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
        fixed(config, metadata, prefix);
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

    /** What {@link FixedSettings} looks at. */
    private static void fixed(Map<String, Object> config, GgufMetadata metadata, String prefix) {
        putLong(config, "v_head_dim", metadata, prefix + "attention.value_length");
        putDouble(config, "attention_multiplier", metadata, prefix + "attention.scale");
        putDouble(config, "embedding_multiplier", metadata, prefix + "embedding_scale");
        putDouble(config, "residual_multiplier", metadata, prefix + "residual_scale");
        putDouble(config, "logit_scale", metadata, prefix + "logit_scale");
        putDouble(config, "attn_logit_softcapping", metadata, prefix + "attn_logit_softcapping");
        putDouble(config, "final_logit_softcapping", metadata, prefix + "final_logit_softcapping");
        putLong(config, "num_local_experts", metadata, prefix + "expert_count");
        metadata.findFlag(prefix + "attention.causal").ifPresent(value -> config.put("is_causal", value));
        metadata.findFlag(prefix + "use_parallel_residual")
                .ifPresent(value -> config.put("use_parallel_residual", value));
        metadata.findLong(prefix + "rope.dimension_count").ifPresent(rotated -> {
            long headDim = headDim(config);
            if (headDim > 0) {
                config.put("partial_rotary_factor", (double) rotated / headDim);
            }
        });
    }

    /** 0 where the metadata do not say it. */
    private static long headDim(Map<String, Object> config) {
        if (config.get("head_dim") instanceof Long given) {
            return given;
        }
        return config.get("hidden_size") instanceof Long hidden
                        && config.get("num_attention_heads") instanceof Long heads
                        && heads > 0
                ? hidden / heads
                : 0;
    }

    /** As llama.cpp: a factor without a type is linear, and older files have it under another key. */
    private static void ropeScaling(
            Map<String, Object> config, Checkpoint checkpoint, GgufMetadata metadata, String prefix) {
        String type = metadata.findString(prefix + "rope.scaling.type").orElse("linear");
        Map<String, Object> scaling = new LinkedHashMap<>();
        putDouble(scaling, "factor", metadata, prefix + "rope.scale_linear");
        putDouble(scaling, "factor", metadata, prefix + "rope.scaling.factor");
        boolean plain = type.equals("none") || (type.equals("linear") && !scaling.containsKey("factor"));
        if (checkpoint.find(ROPE_FACTORS).isPresent()) {
            scaling.put("rope_type", plain ? RopeConfig.FACTORS : type + " beside " + ROPE_FACTORS);
            config.put("rope_scaling", scaling);
        } else if (!plain) {
            scaling.put("rope_type", type);
            config.put("rope_scaling", scaling);
        }
    }

    private static void putLong(Map<String, Object> config, String key, GgufMetadata metadata, String from) {
        metadata.findLong(from).ifPresent(value -> config.put(key, value));
    }

    private static void putDouble(Map<String, Object> config, String key, GgufMetadata metadata, String from) {
        metadata.findDouble(from).ifPresent(value -> config.put(key, value));
    }
}
