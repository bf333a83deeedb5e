# Shared by the scripts in this folder; sourced, not run. They set $log, where run() writes to.

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

# sha256 [FILE...]: sha256sum, on macOS too.
sha256() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum "$@"
    else
        shasum -a 256 "$@"
    fi
}

file_size() {
    wc -c <"$1" | tr -d ' '
}

cpu_count() {
    getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}

# need TOOL...: ends with one line that names every missing tool and how to install them.
# Tools: cmake, c++, make, cargo, pip (python3 with pip).
need() {
    local tool missing=
    for tool in "$@"; do
        has "$tool" || missing="$missing $tool"
    done
    [ -z "$missing" ] || fail "missing:$missing; install with: $(install_command $missing)"
}

has() {
    case $1 in
        pip) has python3 && python3 -m pip --version >/dev/null 2>&1 ;;
        make) has_command make || has_command ninja ;;
        c++) has_command "${CXX:-c++}" ;;
        *) has_command "$1" ;;
    esac
}

# On macOS some commands are stand-ins that only offer to install Apple's tools.
has_command() {
    local path
    path=$(command -v "$1") || return 1
    case $(uname -s):$path in
        Darwin:/usr/bin/*) xcode-select -p >/dev/null 2>&1 ;;
    esac
}

install_command() {
    local tool apple= packages=
    for tool in "$@"; do
        case $(uname -s):$tool in
            Darwin:c++ | Darwin:make) apple="xcode-select --install" ;;
            Darwin:cargo) packages="$packages rust" ;;
            Darwin:pip) packages="$packages python" ;;
            *:c++) packages="$packages g++" ;;
            *:pip) packages="$packages python3-pip" ;;
            *) packages="$packages $tool" ;;
        esac
    done
    if [ "$(uname -s)" = Darwin ]; then
        echo "$apple${apple:+${packages:+ && }}${packages:+brew install$packages}"
    elif command -v apt-get >/dev/null 2>&1; then
        echo "sudo apt-get install$packages"
    else
        echo "your package manager (Debian's names:$packages)"
    fi
}

# run COMMAND...: output goes to the log; a failure shows its end.
run() {
    echo "+ $*" >>"$log"
    if ! "$@" >>"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "this failed: $* (more in $log)"
    fi
}

# pip_download FOLDER PINS: checked against the hashes, without dependencies, with the user's own pip configuration.
pip_download() {
    local platform=() version
    if [ "$(uname -s)" = Darwin ]; then
        # said outright, since an older pip doesn't know the names of newer systems
        version=$(sw_vers -productVersion)
        platform=(--only-binary=:all: --platform "macosx_${version%%.*}_0_arm64")
    fi
    PIP_REQUIRE_VIRTUALENV=0 run python3 -m pip download --no-deps --require-hashes --progress-bar off \
        ${platform[@]+"${platform[@]}"} -d "$1" -r "$2"
}

# lock FILE: waits until this process alone holds it. The kernel lets go of it however the process ends, but not before
# what it has started, and so inherited descriptor 9, has ended too.
lock() {
    exec 9>"$1"
    python3 -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)' 2>/dev/null && return
    echo "Waiting for another run of $(basename "$0")"
    python3 -c 'import fcntl; fcntl.flock(9, fcntl.LOCK_EX)'
}
