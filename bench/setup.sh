# What the benchmarks need; sourced from the project's folder. Sets jar, model, java, venv, weights and preload.
jar=target/omlx-server-exec.jar
model=${OMLX_HOME:-$HOME/.omlx}/models/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
venv=bench/.venv
weights=bench/.venv/smollm2-float32

# make_venv FOLDER REQUIREMENTS: a virtual environment of exactly these packages
make_venv() {
    cmp -s "$2" "$1/requirements.txt" && return
    rm -rf "$1"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed" >&2; exit 1; }
    python3 -m venv "$1"
    "$1/bin/python" -m pip install --quiet --no-deps --require-hashes -r "$2"
    cp "$2" "$1/requirements.txt"
}

find_java() {
    for java in "${JAVA_HOME:-}/bin/java" java /usr/lib/jvm/*/bin/java \
        /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java /opt/homebrew/opt/openjdk@25/bin/java; do
        "$java" -version 2>&1 | grep -q 'version "25' && return
    done
    echo "no JDK 25 found: set JAVA_HOME to one" >&2
    exit 1
}

require_jar() {
    [ -f "$jar" ] || { echo "missing $jar: run ./mvnw package -DskipTests first" >&2; exit 1; }
}

# The jar, the model, a JDK, mlx-lm, and the model's weights in float32
set_up() {
    require_jar
    [ -f "$model" ] || { echo "missing $model: run ./mvnw spring-boot:run once" >&2; exit 1; }
    find_java
    make_venv "$venv" bench/requirements.txt
    cmp -s bench/export_float32.py "$weights/made_by.py" || {
        "$venv/bin/python" bench/export_float32.py "$model" "$weights"
        cp bench/export_float32.py "$weights/made_by.py"
    }
    # On Linux the MLX wheel brings a slow reference BLAS; all sides get the same OpenBLAS in front of it.
    preload=
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) preload=$PWD/native-lib/dist/linux-x86_64/libomlx_blas.so ;;
    esac
}
