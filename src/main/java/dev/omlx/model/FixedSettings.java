package dev.omlx.model;

import java.util.List;
import java.util.Set;

/**
 * Keys that change what a model computes and that no architecture here honours: a model may state what is computed
 * anyway, and is refused if it asks for anything else, since its answers would be silently wrong.
 */
final class FixedSettings {
    private static final List<String> ACTIVATIONS = List.of("hidden_act", "hidden_activation");

    /** Two names of x·σ(x). */
    private static final Set<String> SILU = Set.of("silu", "swish");

    private static final List<String> MULTIPLIERS = List.of(
            "embedding_multiplier", "residual_multiplier", "logit_scale", "logits_scaling", "partial_rotary_factor");

    /** Where 0 is one way to say that there is none. */
    private static final List<String> ABSENT = List.of(
            "attn_logit_softcapping",
            "final_logit_softcapping",
            "attention_chunk_size",
            "num_experts",
            "num_local_experts");

    private FixedSettings() {}

    /** @throws ModelConfigException if it asks for what is not computed */
    static void require(ConfigReader config, int headDim) {
        ACTIVATIONS.forEach(key -> config.only(key, SILU));
        MULTIPLIERS.forEach(key -> config.only(key, 1));
        ABSENT.forEach(key -> config.only(key, 0));
        config.only("attention_multiplier", 1 / Math.sqrt(headDim));
        config.only("query_pre_attn_scalar", headDim);
        config.only("v_head_dim", headDim);
        config.only("is_causal", true);
        config.only("use_bidirectional_attention", false);
        config.only("use_parallel_residual", false);
    }
}
