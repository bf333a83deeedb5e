#!/usr/bin/env bash
# What a decode step of the engine costs more than the bare call of the model: prints a table. Takes a model's path.
set -euo pipefail
cd "$(dirname "$0")/../.."
source bench/setup.sh
require_jar
find_java
exec "$java" --enable-native-access=ALL-UNNAMED -cp "$jar" bench/step/StepOverhead.java "${1:-$model}" "${@:2}"
