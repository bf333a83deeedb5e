"""Writes TYPE.blocks (random quantised blocks), TYPE.f32 (what they stand for, little-endian float32) and, for the
types that MLX keeps quantised, TYPE.affine (MLX's uint32 words, float16 scales, float16 biases, one after the other).

The floats come from the `gguf` package's own dequantisation, the affine form from MLX's own GGUF reader.
Needs: pip install gguf==0.19.0 mlx==0.32.2 mlx-cpu==0.32.2
"""

import pathlib
import sys
import tempfile

import gguf
import mlx.core as mx
import numpy as np

HALVES = {  # where the float16 scales of a block are: bytes that must not make infinities or NaN
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0],
    "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
}
AFFINE = ["Q4_0", "Q4_1", "Q8_0"]


def affine(blocks, kind):
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "one.gguf")
        writer = gguf.GGUFWriter(path, "llama")
        writer.add_tensor("x.weight", blocks.reshape(2, -1), raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        read = mx.load(path)
        parts = [read["x.weight"], read["x.scales"], read["x.biases"]]
        assert [str(part.dtype) for part in parts] == ["mlx.core.uint32", "mlx.core.float16", "mlx.core.float16"]
        return b"".join(np.array(part).tobytes() for part in parts)


out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
rng = np.random.default_rng(20260)
for name, halves in HALVES.items():
    kind = gguf.GGMLQuantizationType[name]
    size, length = gguf.GGML_QUANT_SIZES[kind]
    count = 6 if size == 32 else 2
    blocks = rng.integers(0, 256, (count, length), dtype=np.uint8)
    for at in halves:
        scales = rng.normal(0, 0.05, count).astype("<f2")
        blocks[:, at:at + 2] = scales.view(np.uint8).reshape(count, 2)
    blocks.tofile(out / f"{name.lower()}.blocks")
    gguf.quants.dequantize(blocks, kind).astype("<f4").tofile(out / f"{name.lower()}.f32")
    if name in AFFINE:
        (out / f"{name.lower()}.affine").write_bytes(affine(blocks, kind))
