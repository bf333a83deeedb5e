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
[ -f "$pins" ] || fail "there is no MLX for $platform; it runs on macOS (arm64) and Linux (x86_64, arm64)"

# All that the result depends on.
stamp=$(cd "$here" && sha256 build.sh lib/common.sh "pins/$platform.txt" sources/Cargo.toml sources/Cargo.lock \
    CMakeLists.txt compat/*.h blas/* ops/* | sha256)

up_to_date() {
    [ "$(cat "$dist/.stamp" 2>/dev/null)" = "$stamp" ] && [ -d "$build/include/mlx/c" ] || return 1
    local sum size name
    while read -r sum size name; do
        [ -s "$dist/$name" ] || return 1
    done <"$dist/manifest.txt"
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
    local openblas=$build/wheels/scipy_openblas32/lib/libscipy_openblas.so generator=()
    [ -f "$openblas" ] || openblas=
    has_command make || generator=(-G Ninja)
    rm -rf "$build/cmake"
    # no compiler launcher: a cache's server process would inherit the lock
    run cmake ${generator[@]+"${generator[@]}"} -S "$here" -B "$build/cmake" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_COMPILER_LAUNCHER= -DCMAKE_CXX_COMPILER_LAUNCHER= \
        -DMLX_C_SOURCE_DIR="$build/mlx-c" -DMLX_ROOT="$build/wheels/mlx" -DOPENBLAS_LIBRARY="$openblas"
    run cmake --build "$build/cmake" --parallel "$(cpu_count)"
}

# Everything the loader needs, in one folder, moved into place as the last act.
assemble() {
    local new=$build/dist.new
    rm -rf "$new" "$build/include"
    mkdir -p "$new/licenses" "$build/include/mlx/c" "$here/dist"
    copy_libraries "$new"
    copy_licenses "$new/licenses"
    echo "$stamp" >"$new/.stamp"
    cp "$build"/mlx-c/mlx/c/*.h "$build/include/mlx/c/"
    rm -rf "$dist"
    mv "$new" "$dist"
}

# The libraries and manifest.txt, which has a line "sha256 bytes name" for each of them.
copy_libraries() {
    local wheels=$build/wheels file
    cp "$build"/cmake/lib/* "$1/"
    case $platform in
        macos-*) cp "$wheels"/mlx/lib/*.dylib "$wheels"/mlx/lib/mlx.metallib "$1/" ;;
        linux-*) cp "$wheels"/mlx/lib/*.so "$wheels"/mlx_cpu.libs/*.so* "$wheels"/scipy_openblas32/lib/*.so* "$1/" ;;
    esac
    chmod 644 "$1"/*.*
    for file in "$1"/*.*; do
        echo "$(sha256 <"$file" | cut -d ' ' -f 1) $(file_size "$file") $(basename "$file")"
    done >"$build/manifest.txt"
    mv "$build/manifest.txt" "$1/"
}

copy_licenses() {
    local folder name
    cp "$build/mlx-c/LICENSE" "$1/mlx-c.txt"
    for folder in "$build"/wheels/*.dist-info/licenses; do
        name=$(basename "$(dirname "$folder")")
        cat "$folder"/* >"$1/${name%%-*}.txt"
    done
}

if up_to_date; then
    exit 0
fi
need cmake c++ make cargo pip
mkdir -p "$build"
lock "$build/.lock"
if up_to_date; then
    exit 0
fi
echo "Building the native library for $platform; details in $log"
: >"$log"
fetch_wheels
fetch_sources
compile
assemble
echo "Built $dist"
