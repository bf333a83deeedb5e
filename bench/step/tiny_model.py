"""Writes a llama of 4 layers, 256 wide, with random weights and the bytes as its tokens: python tiny_model.py FOLDER"""

import json
import pathlib
import sys

import mlx.core as mx

LAYERS, HIDDEN, HEADS, KV_HEADS, INTERMEDIATE, VOCABULARY = 4, 256, 8, 4, 704, 256


def weights():
    def random(*shape):
        return mx.random.normal(shape) * 0.05

    yield "model.embed_tokens.weight", random(VOCABULARY, HIDDEN)
    yield "model.norm.weight", mx.ones(HIDDEN)
    kv = HIDDEN // HEADS * KV_HEADS
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}."
        for norm in ("input_layernorm", "post_attention_layernorm"):
            yield f"{prefix}{norm}.weight", mx.ones(HIDDEN)
        for name, rows, columns in (
                ("self_attn.q_proj", HIDDEN, HIDDEN), ("self_attn.k_proj", kv, HIDDEN),
                ("self_attn.v_proj", kv, HIDDEN), ("self_attn.o_proj", HIDDEN, HIDDEN),
                ("mlp.gate_proj", INTERMEDIATE, HIDDEN), ("mlp.up_proj", INTERMEDIATE, HIDDEN),
                ("mlp.down_proj", HIDDEN, INTERMEDIATE)):
            yield f"{prefix}{name}.weight", random(rows, columns)


def byte_vocabulary():
    spare = iter(range(256, 512))
    return {chr(b if 33 <= b <= 126 or 161 <= b <= 172 or b >= 174 else next(spare)): b for b in range(256)}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    mx.random.seed(1)
    mx.save_safetensors(str(folder / "model.safetensors"), dict(weights()))
    (folder / "config.json").write_text(json.dumps({
        "model_type": "llama", "hidden_size": HIDDEN, "num_hidden_layers": LAYERS, "intermediate_size": INTERMEDIATE,
        "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS, "vocab_size": VOCABULARY, "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0, "max_position_embeddings": 2048, "tie_word_embeddings": True}))
    bytes_of = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "added_tokens": [], "pre_tokenizer": bytes_of, "decoder": bytes_of,
        "model": {"type": "BPE", "vocab": byte_vocabulary(), "merges": []}}))


main(pathlib.Path(sys.argv[1]))
