# pi over chat completions, responses and messages.
export HOME=$scratch PI_OFFLINE=1
mkdir -p "$scratch/.pi/agent"
provider() {
    printf '"%s": {"api": "%s", "baseUrl": "%s", "apiKey": "none", "models": [%s, %s]}' "$1" "$2" "$3" \
        '{"id": "smollm2", "contextWindow": 8192, "maxTokens": 64}' '{"id": "nobody"}'
}
printf '{"providers": {%s, %s, %s}}' "$(provider chat openai-completions "$OMLX_URL/v1")" \
    "$(provider responses openai-responses "$OMLX_URL/v1")" \
    "$(provider messages anthropic-messages "$OMLX_URL")" > "$scratch/.pi/agent/models.json"
# pi would summarise each conversation in a context this small, after its answer.
echo '{"compaction": {"enabled": false}}' > "$scratch/.pi/agent/settings.json"
ask() {
    "$node_modules/.bin/pi" -p --provider "$1" --model "$2" --no-session \
        "${@:3}" "What is the capital of France?" < /dev/null
}

for face in chat responses messages; do
    said=$(ask $face smollm2 --system-prompt "You are a helpful assistant." --no-tools)
    [ -n "$said" ]
    if ask $face nobody 2> "$scratch/error"; then exit 1; fi
    grep nobody "$scratch/error"
done
ask chat smollm2
