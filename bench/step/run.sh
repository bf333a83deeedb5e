#!/usr/bin/env bash
# What a decode step of the engine costs more than the bare call of the model: prints a table. Takes a model's path, or
# "tiny" for a random one that costs next to nothing, and how many rounds.
set -euo pipefail
cd "$(dirname "$0")/../.."
source bench/setup.sh
require_jar
find_java
path=${1:-$model}
if [ "$path" = tiny ]; then
    set_up
    path=target/tiny-model
    "$venv/bin/python" bench/step/tiny_model.py "$path"
fi
exec "$java" --enable-native-access=ALL-UNNAMED -cp "$jar" bench/step/StepOverhead.java "$path" "${@:2}"
