#!/usr/bin/env bash
# One request at a time: our server and mlx-lm's generate loop in turn, on the same float32 weights and the same BLAS.
set -euo pipefail
cd "$(dirname "$0")/../.."
jar=target/omlx-server-exec.jar
model=${OMLX_HOME:-$HOME/.omlx}/models/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
[ -f "$jar" ] || { echo "missing $jar: run ./mvnw package -DskipTests first" >&2; exit 1; }
[ -f "$model" ] || { echo "missing $model: run ./mvnw spring-boot:run once" >&2; exit 1; }

java=
for candidate in "${JAVA_HOME:-}/bin/java" java /usr/lib/jvm/*/bin/java \
    /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java /opt/homebrew/opt/openjdk@25/bin/java; do
    if "$candidate" -version 2>&1 | grep -q 'version "25'; then
        java=$candidate
        break
    fi
done
[ -n "$java" ] || { echo "no JDK 25 found: set JAVA_HOME to one" >&2; exit 1; }

venv=bench/.venv
if ! cmp -s bench/requirements.txt "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet -r bench/requirements.txt
    cp bench/requirements.txt "$venv/requirements.txt"
fi
weights=bench/.venv/smollm2-float32
[ -f "$weights/model.safetensors" ] || "$venv/bin/python" bench/single/export_float32.py "$model" "$weights"

# On Linux the MLX wheel brings a slow reference BLAS; both sides get the same OpenBLAS in front of it.
preload=
case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) preload=$PWD/native-lib/dist/linux-x86_64/libomlx_blas.so ;;
esac
OMLX_BENCH_JAVA=$java OMLX_BENCH_PRELOAD=$preload exec python3 bench/single/compare.py "$jar" "$model" "$weights" "$venv/bin/python" "$@"
