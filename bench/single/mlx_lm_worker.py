"""mlx-lm's own generate loop as a worker: reads {"ids": [...], "tokens": N} a line, answers with tokens and times."""

import json
import pathlib
import sys
import time

import mlx.core as mx
from mlx_lm.generate import generate_step
from mlx_lm.utils import load_model

if not mx.metal.is_available():
    mx.set_default_device(mx.cpu)
model, _ = load_model(pathlib.Path(sys.argv[1]))
mx.eval(model.parameters())
print(json.dumps({"mlx": mx.__version__}), flush=True)

for line in sys.stdin:
    request = json.loads(line)
    tokens = []
    start = time.perf_counter()
    first = None
    for token, _ in generate_step(mx.array(request["ids"]), model, max_tokens=request["tokens"]):
        if first is None:
            first = time.perf_counter()
        tokens.append(int(token))
    end = time.perf_counter()
    print(json.dumps({"tokens": tokens, "first": first - start, "rest": end - first}), flush=True)
