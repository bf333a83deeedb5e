# Claude Code: turns without tools and with one, then with all, which the context cannot hold.
export HOME=$scratch CLAUDE_CONFIG_DIR=$scratch/config ANTHROPIC_BASE_URL=$OMLX_URL ANTHROPIC_AUTH_TOKEN=none
export ANTHROPIC_MODEL=smollm2 ANTHROPIC_DEFAULT_OPUS_MODEL=smollm2 ANTHROPIC_DEFAULT_SONNET_MODEL=smollm2
export ANTHROPIC_DEFAULT_HAIKU_MODEL=smollm2 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1
# A fault in a stream must show: without this Claude Code asks again for the whole answer.
export DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1 CLAUDE_CODE_MAX_OUTPUT_TOKENS=64
ask() {
    "$node_modules/.bin/claude" -p --output-format json --no-session-persistence \
        "$@" "What is the capital of France?" < /dev/null
}

# The model is small: that it talks until its limit, and Claude Code says so, is no fault.
for tools in "" Read; do
    ask --tools "$tools" --system-prompt "You are a helpful assistant." | tee "$scratch/slim" || true
    grep -E '"is_error":false|exceeded the 64 output token maximum' "$scratch/slim"
done
ask | tee "$scratch/full" || true
grep '"terminal_reason":"prompt_too_long"' "$scratch/full"
