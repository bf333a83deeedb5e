"""Writes a SmolLM2 GGUF file as a float32 checkpoint that mlx-lm loads: export_float32.py FILE.gguf FOLDER"""

import json
import pathlib
import sys

import mlx.core as mx

LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
TOP = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
CONTROL = 3
NEVER_SAMPLED = "<gh_stars>"


def name_of(module):
    if module in TOP:
        return TOP[module]
    _, layer, part = module.split(".")
    return f"model.layers.{layer}.{LAYER[part]}"


def tokenizer_of(metadata):
    """Both tokenizer files. The end token is one that is never sampled: answers end at max_tokens, as ignore_eos does."""
    tokens = metadata["tokenizer.ggml.tokens"]
    special = [id for id, kind in enumerate(metadata["tokenizer.ggml.token_type"].tolist()) if kind == CONTROL]
    if metadata["tokenizer.ggml.pre"] != "smollm":
        raise SystemExit(f"no pre-tokenizer known for {metadata['tokenizer.ggml.pre']}")
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    tokenizer = {
        "version": "1.0",
        "added_tokens": [
            {"id": id, "content": tokens[id], "special": True, "single_word": False, "lstrip": False,
             "rstrip": False, "normalized": False} for id in special
        ],
        "pre_tokenizer": {
            "type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level]
        },
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "vocab": {token: id for id, token in enumerate(tokens)},
            "merges": [merge.split(" ") for merge in metadata["tokenizer.ggml.merges"]],
        },
    }
    tokenizer_config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": NEVER_SAMPLED,
        "chat_template": metadata["tokenizer.chat_template"],
        "clean_up_tokenization_spaces": False,
    }
    return tokenizer, tokenizer_config


def main(source, folder):
    mx.set_default_device(mx.cpu)
    stored, metadata = mx.load(source, return_metadata=True)
    weights = {}
    for key, value in stored.items():
        module, kind = key.rsplit(".", 1)
        if kind != "weight":
            continue
        scales = stored.get(f"{module}.scales")
        if scales is not None:
            bits = 32 * value.shape[-1] // (scales.shape[-1] * 32)
            value = mx.dequantize(
                value, scales.astype(mx.float32), stored[f"{module}.biases"].astype(mx.float32), 32, bits
            )
        weights[name_of(module) + ".weight"] = value.astype(mx.float32)

    def number(key):
        return metadata[f"llama.{key}"].item()

    config = {
        "model_type": "llama",
        "hidden_size": number("embedding_length"),
        "intermediate_size": number("feed_forward_length"),
        "num_hidden_layers": number("block_count"),
        "num_attention_heads": number("attention.head_count"),
        "num_key_value_heads": number("attention.head_count_kv"),
        "max_position_embeddings": number("context_length"),
        "rms_norm_eps": number("attention.layer_norm_rms_epsilon"),
        "rope_theta": number("rope.freq_base"),
        "rope_traditional": True,
        "tie_word_embeddings": "lm_head.weight" not in weights,
        "vocab_size": weights["model.embed_tokens.weight"].shape[0],
    }
    target = pathlib.Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    tokenizer, tokenizer_config = tokenizer_of(metadata)
    config["eos_token_id"] = tokenizer["model"]["vocab"][tokenizer_config["eos_token"]]
    (target / "config.json").write_text(json.dumps(config, indent=1))
    (target / "tokenizer.json").write_text(json.dumps(tokenizer))
    (target / "tokenizer_config.json").write_text(json.dumps(tokenizer_config, indent=1))
    mx.save_safetensors(str(target / "model.safetensors"), weights)


if __name__ == "__main__":
    main(*sys.argv[1:])
