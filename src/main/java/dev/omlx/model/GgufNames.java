package dev.omlx.model;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How GGUF files name what the architectures call {@code model.layers.N.self_attn.q_proj.weight} and so on. */
final class GgufNames {
    private static final Pattern LAYER = Pattern.compile("model\\.layers\\.(\\d+)\\.(.+)\\.(weight|bias)");

    private static final Map<String, String> IN_LAYER = Map.ofEntries(
            Map.entry("input_layernorm", "attn_norm"),
            Map.entry("self_attn.q_proj", "attn_q"),
            Map.entry("self_attn.k_proj", "attn_k"),
            Map.entry("self_attn.v_proj", "attn_v"),
            Map.entry("self_attn.o_proj", "attn_output"),
            Map.entry("self_attn.q_norm", "attn_q_norm"),
            Map.entry("self_attn.k_norm", "attn_k_norm"),
            Map.entry("post_attention_layernorm", "ffn_norm"),
            Map.entry("mlp.gate_proj", "ffn_gate"),
            Map.entry("mlp.up_proj", "ffn_up"),
            Map.entry("mlp.down_proj", "ffn_down"));

    private static final Map<String, String> OUTSIDE = Map.of(
            "model.embed_tokens.weight", "token_embd.weight",
            "model.norm.weight", "output_norm.weight",
            "lm_head.weight", "output.weight");

    private GgufNames() {}

    static String of(String name) {
        Matcher matcher = LAYER.matcher(name);
        if (matcher.matches()) {
            String inLayer = IN_LAYER.getOrDefault(matcher.group(2), matcher.group(2));
            return "blk." + matcher.group(1) + "." + inLayer + "." + matcher.group(3);
        }
        return OUTSIDE.getOrDefault(name, name);
    }
}
