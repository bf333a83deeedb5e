# Shared by the scripts in this folder; sourced, not run. Expects $log for run().

fail() {
    echo "native-lib: $*" >&2
    exit 1
}

# linux|macos - x86_64|arm64
detect_platform() {
    local os arch
    case $(uname -s) in
        Linux) os=linux ;;
        Darwin) os=macos ;;
        *) os=$(uname -s) ;;
    esac
    case $(uname -m) in
        x86_64 | amd64) arch=x86_64 ;;
        arm64 | aarch64) arch=arm64 ;;
        *) arch=$(uname -m) ;;
    esac
    # A shell translated by Rosetta says x86_64 on Apple Silicon.
    if [ "$os" = macos ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ]; then
        arch=arm64
    fi
    echo "$os-$arch"
}

supported_platforms() {
    local file names=
    for file in "$1"/*-*64.txt; do
        names="$names${names:+, }$(basename "$file" .txt)"
    done
    echo "$names"
}

# sha256 [FILE...]: like sha256sum, on macOS too.
sha256() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum "$@"
    else
        shasum -a 256 "$@"
    fi
}

cpu_count() {
    getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}

# need COMMAND KIND: ends with one line that says how to install a missing tool.
need() {
    command -v "$1" >/dev/null 2>&1 || fail "$1 is missing; install it with: $(install_hint "$2")"
}

need_pip() {
    need python3 python3
    python3 -m pip --version >/dev/null 2>&1 || fail "python3 has no pip; install it with: $(install_hint pip)"
}

install_hint() {
    if [ "$(uname -s)" = Darwin ]; then
        case $1 in
            c++ | make) echo "xcode-select --install" ;;
            cargo) echo "brew install rust" ;;
            python3) echo "brew install python" ;;
            pip) echo "python3 -m ensurepip" ;;
            *) echo "brew install $1" ;;
        esac
    elif command -v apt-get >/dev/null 2>&1; then
        case $1 in
            c++) echo "apt-get install g++" ;;
            pip) echo "apt-get install python3-pip" ;;
            *) echo "apt-get install $1" ;;
        esac
    else
        echo "your package manager ($1)"
    fi
}

# run COMMAND...: output goes to the log; a failure shows its end. Children don't inherit the lock.
run() {
    echo "+ $*" >>"$log"
    if ! "$@" >>"$log" 2>&1 9>&-; then
        tail -n 20 "$log" >&2
        fail "this failed: $* (all of it in $log)"
    fi
}

# pip_download FOLDER PINS: hash-checked, without dependencies, under the user's own pip configuration.
pip_download() {
    local platform=()
    if [ "$(uname -s)" = Darwin ]; then
        local major
        major=$(sw_vers -productVersion)
        platform=(--only-binary=:all: --platform "macosx_${major%%.*}_0_arm64")
    fi
    PIP_REQUIRE_VIRTUALENV=0 run python3 -m pip download --no-deps --require-hashes --progress-bar off \
        ${platform[@]+"${platform[@]}"} -d "$1" -r "$2"
}

# One line "sha256 bytes name" for each file in the folder.
manifest() {
    local file
    for file in "$1"/*.*; do
        echo "$(sha256 <"$file" | cut -d ' ' -f 1) $(wc -c <"$file" | tr -d ' ') $(basename "$file")"
    done
}

# lock FILE: waits until this process alone holds it; the kernel lets go of it however the process ends.
lock() {
    exec 9>"$1"
    python3 -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null && return
    echo "Waiting for another run of $(basename "$0")"
    python3 -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
}
