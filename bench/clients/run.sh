#!/usr/bin/env bash
# Clients that others wrote, against the server on the default model: all, or those that are named.
set -euo pipefail
cd "$(dirname "$0")/../.."
source bench/setup.sh
clients=$PWD/bench/clients
export work=$clients/.work venv=$clients/.work/venv node_modules=$clients/.work/node_modules
all=(openai-python openai-node anthropic-python anthropic-node anthropic-java ai-sdk spring-ai langchain4j
    langchain-python pydantic-ai llm ollama-python ollama-node claude-code codex pi)
[ $# -gt 0 ] || set -- "${all[@]}"

require_jar
find_java
mkdir -p "$work"
cmp -s "$clients/requirements.txt" "$work/requirements.txt" || {
    python3 -m venv --clear "$venv"
    "$venv/bin/python" -m pip install --quiet -r "$clients/requirements.txt"
    cp "$clients/requirements.txt" "$work"
}
cmp -s "$clients/package.json" "$work/installed.json" || {
    cp "$clients/package.json" "$work"
    npm install --prefix "$work" --no-audit --no-fund --no-package-lock --loglevel=error
    cp "$clients/package.json" "$work/installed.json"
}
cp "$clients"/*.mjs "$work"
# the jars of the last run may have left Maven's repository since
all_jars_there() {
    cat "$work"/*.classpath | tr ':' '\n' | while read -r jar; do [ -f "$jar" ] || return 1; done
}
cmp -s "$clients/pom.xml" "$work/pom.xml" && all_jars_there || {
    for client in "$clients"/*.java; do
        client=$(basename "$client" .java)
        mvn -q -f "$clients/pom.xml" -P "$client" dependency:build-classpath -Dmdep.outputFile="$work/$client.classpath"
    done
    cp "$clients/pom.xml" "$work"
}

port=${OMLX_PORT:-8499}
export OMLX_URL=http://127.0.0.1:$port
# A client that names no temperature gets the same answer in each run, and one that names no length an end.
"$java" -jar "$jar" serve --port "$port" --omlx.sampling.temperature=0 --omlx.models.context-length=2560 \
    > "$work/server.log" 2>&1 &
server=$!
trap 'kill $server; wait $server || true' EXIT
until curl -sf "$OMLX_URL/health" > /dev/null; do
    kill -0 $server 2> /dev/null || { cat "$work/server.log" >&2; exit 1; }
    sleep 0.3
done

# drive NAME: runs a client, wherever its file says it runs
drive() {
    export scratch=$work/$1.d
    rm -rf "$scratch"
    mkdir "$scratch"
    for file in "$clients/$1".*; do
        case $file in
            *.py) "$venv/bin/python" "$file" ;;
            *.mjs) node "$work/$1.mjs" ;;
            *.java) "$java" -cp "$(cat "$work/$1.classpath")" "$file" ;;
            *.sh) bash -euxo pipefail "$file" ;;
        esac
    done
}

failed=0
for client in "$@"; do
    started=$SECONDS
    if drive "$client" > "$work/$client.log" 2>&1; then said=ok; else said=FAILED failed=1; fi
    printf '%-18s %-7s %4d s\n' "$client" $said $((SECONDS - started))
    [ $said = ok ] || tail -n 15 "$work/$client.log" | sed 's/^/    /'
done
exit $failed
