#!/usr/bin/env bash
# Builds the native library of this machine into native-lib/dist/<os>-<arch>/.
#
# The pinned MLX comes as a wheel through pip, the pinned mlx-c as source through cargo; CMake compiles mlx-c against
# MLX. A second run finds nothing to do, at once and offline. Works with bash 3.2 (macOS).
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib/common.sh
. "$here/lib/common.sh"

build=$here/build
log=$build/build.log
platform=$(detect_platform)
dist=$here/dist/$platform
pins=$here/pins/$platform.txt
[ -f "$pins" ] || fail "there is no MLX for $platform; supported are: $(supported_platforms "$here/pins")"

stamp=$(cd "$here" && sha256 build.sh lib/common.sh "pins/$platform.txt" sources/Cargo.toml sources/Cargo.lock \
    CMakeLists.txt compat/*.h blas/*.c | sha256)

up_to_date() {
    [ "$(cat "$dist/.stamp" 2>/dev/null)" = "$stamp" ] || return 1
    local sum size name
    while read -r sum size name; do
        [ -s "$dist/$name" ] || return 1
    done <"$dist/manifest.txt"
    [ -d "$build/include/mlx/c" ]
}

# The wheels, checked against their hashes by pip and unpacked to build/wheels.
fetch_wheels() {
    rm -rf "$build/download" "$build/wheels"
    mkdir -p "$build/wheels"
    pip_download "$build/download" "$pins"
    local wheel
    for wheel in "$build"/download/*.whl; do
        run python3 -m zipfile -e "$wheel" "$build/wheels"
    done
    rm -rf "$build/download"
}

# The sources of mlx-c, checked against Cargo.lock by cargo, in build/mlx-c.
fetch_sources() {
    rm -rf "$build/vendor" "$build/mlx-c"
    run cargo vendor --locked --versioned-dirs --manifest-path "$here/sources/Cargo.toml" "$build/vendor"
    mv "$build"/vendor/mlx-sys-0.7.0/src/mlx-c "$build/mlx-c"
    rm -rf "$build/vendor"
}

compile() {
    local openblas=$build/wheels/scipy_openblas32/lib/libscipy_openblas.so
    [ -f "$openblas" ] || openblas=
    rm -rf "$build/cmake"
    run cmake -S "$here" -B "$build/cmake" -DCMAKE_BUILD_TYPE=Release -DMLX_C_SOURCE_DIR="$build/mlx-c" \
        -DMLX_ROOT="$build/wheels/mlx" -DOPENBLAS_LIBRARY="$openblas"
    run cmake --build "$build/cmake" --parallel "$(cpu_count)"
}

# Everything the loader needs, in one folder, with a manifest; moved into place as the last act.
assemble() {
    local new=$build/dist.new wheels=$build/wheels
    rm -rf "$new"
    mkdir -p "$new/licenses"
    cp "$build"/cmake/lib/* "$new/"
    case $platform in
        macos-*) cp "$wheels"/mlx/lib/*.dylib "$wheels"/mlx/lib/mlx.metallib "$new/" ;;
        linux-*) cp "$wheels"/mlx/lib/libmlx.so "$wheels"/mlx_cpu.libs/*.so* "$wheels"/scipy_openblas32/lib/*.so* "$new/" ;;
    esac
    chmod 644 "$new"/*.*
    manifest "$new" >"$build/manifest.txt"
    mv "$build/manifest.txt" "$new/"
    cp "$build/mlx-c/LICENSE" "$new/licenses/mlx-c.txt"
    local folder name
    for folder in "$wheels"/*.dist-info/licenses; do
        name=$(basename "$(dirname "$folder")")
        cat "$folder"/* >"$new/licenses/${name%%-*}.txt"
    done
    echo "$stamp" >"$new/.stamp"

    rm -rf "$build/include"
    mkdir -p "$build/include/mlx/c"
    cp "$build"/mlx-c/mlx/c/*.h "$build/include/mlx/c/"
    rm -rf "$dist"
    mkdir -p "$(dirname "$dist")"
    mv "$new" "$dist"
}

if up_to_date; then
    exit 0
fi

need cmake cmake
need c++ c++
need make make
need cargo cargo
need_pip
mkdir -p "$build"
lock "$build/.lock"
if up_to_date; then
    exit 0
fi

echo "Building the native library for $platform (mlx-c 0.7.0, MLX 0.32.2); details in $log"
: >"$log"
fetch_wheels
fetch_sources
compile
assemble
echo "Built $dist"
