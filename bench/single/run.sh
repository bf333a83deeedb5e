#!/usr/bin/env bash
# One request at a time: our server and mlx-lm's generate loop in turn, on the same float32 weights and the same BLAS.
set -euo pipefail
cd "$(dirname "$0")/../.."
source bench/setup.sh
set_up
OMLX_BENCH_JAVA=$java OMLX_BENCH_PRELOAD=$preload exec python3 bench/single/compare.py "$jar" "$model" "$weights" "$venv/bin/python" "$@"
