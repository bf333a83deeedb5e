# Codex: a slim turn, then one with all its tools, which the context cannot hold.
export HOME=$scratch CODEX_HOME=$scratch KEY=none
printf 'You are a helpful assistant.\n' > "$scratch/instructions.md"
ask() {
    "$node_modules/.bin/codex" exec --skip-git-repo-check -s read-only -m "$1" -C "$scratch" --json \
        -c model_provider=omlx -c model_providers.omlx.name=omlx -c "model_providers.omlx.base_url=$OMLX_URL/v1" \
        -c model_providers.omlx.wire_api=responses -c model_providers.omlx.env_key=KEY \
        -c model_providers.omlx.request_max_retries=0 -c model_providers.omlx.stream_max_retries=0 \
        "${@:2}" "What is the capital of France?" < /dev/null
}
slim=(-c "model_instructions_file=$scratch/instructions.md" --disable multi_agent --disable goals
    -c web_search=disabled -c include_permissions_instructions=false -c include_apps_instructions=false
    -c include_environment_context=false -c skills.include_instructions=false)

# The model is small: that it talks until the context is full, and Codex says so, is no fault.
ask smollm2 "${slim[@]}" | tee "$scratch/slim" || true
grep -E 'turn.completed|reason: max_output_tokens' "$scratch/slim"
ask smollm2 | tee "$scratch/full" || true
grep 'context window' "$scratch/full"
if ask nobody "${slim[@]}" > "$scratch/error"; then exit 1; fi
grep 'nobody' "$scratch/error"
