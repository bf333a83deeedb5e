#!/usr/bin/env bash
# The attention part of a decode step over layouts of the KV cache: prints a table.
set -euo pipefail
cd "$(dirname "$0")/../.."
source bench/setup.sh
require_jar
find_java
exec "$java" --enable-native-access=ALL-UNNAMED -cp "$jar" bench/attention/AttentionLayouts.java "$@"
