"""Writes TYPE.blocks (random quantised blocks) and TYPE.f32 (what they stand for, little-endian float32).

The values come from the `gguf` Python package's own dequantisation. Needs: pip install gguf==0.19.0
"""

import pathlib
import sys

import gguf
import numpy as np

HALVES = {  # where the float16 scales of a block are: bytes that must not make infinities or NaN
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0],
    "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
}

out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
rng = np.random.default_rng(20260)
for name, halves in HALVES.items():
    kind = gguf.GGMLQuantizationType[name]
    size, length = gguf.GGML_QUANT_SIZES[kind]
    count = 96 // size * 2 if size == 32 else 2
    blocks = rng.integers(0, 256, (count, length), dtype=np.uint8)
    for at in halves:
        scales = rng.normal(0, 0.05, count).astype("<f2")
        blocks[:, at:at + 2] = scales.view(np.uint8).reshape(count, 2)
    blocks.tofile(out / f"{name.lower()}.blocks")
    gguf.quants.dequantize(blocks, kind).astype("<f4").tofile(out / f"{name.lower()}.f32")
