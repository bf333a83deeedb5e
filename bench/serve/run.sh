#!/usr/bin/env bash
# Servers under load, side by side: ours, mlx-lm's and vllm-mlx, on the same float32 weights and the same BLAS.
set -euo pipefail
cd "$(dirname "$0")/../.."
source bench/setup.sh
case " $* " in
    *" --url"* | *" --render "*)
        make_venv "$venv" bench/requirements.txt
        exec "$venv/bin/python" bench/serve/bench.py "$@"
        ;;
esac
set_up
vllm_mlx_venv=bench/.venv-vllm-mlx
case " $* " in
    *" --servers "*) wanted=$* ;;
    *) wanted=vllm-mlx ;;
esac
case "$wanted" in
    *vllm-mlx*) make_venv "$vllm_mlx_venv" bench/requirements-vllm-mlx.txt || echo "vllm-mlx cannot be installed here" >&2 ;;
esac
export OMLX_BENCH_JAVA=$java OMLX_BENCH_PRELOAD=$preload OMLX_BENCH_JAR=$jar OMLX_BENCH_MODEL=$model
export OMLX_BENCH_WEIGHTS=$weights OMLX_BENCH_MLX_LM=$venv/bin OMLX_BENCH_VLLM_MLX=$vllm_mlx_venv/bin
exec "$venv/bin/python" bench/serve/bench.py "$@"
