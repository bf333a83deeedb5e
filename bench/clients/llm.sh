# The command llm, with its models in a folder of its own.
export LLM_USER_PATH=$scratch
for model in smollm2 nobody; do
    printf -- '- {model_id: %s, model_name: %s, api_base: "%s/v1", supports_tools: true}\n' $model $model "$OMLX_URL"
done > "$scratch/extra-openai-models.yaml"
ask() { "$venv/bin/llm" prompt -n -m "$1" -o max_tokens 16 -o temperature 0 "${@:2}" "Name a colour."; }

whole=$(ask smollm2 --no-stream)
[ -n "$whole" ]
[ "$(ask smollm2)" = "$whole" ]
ask smollm2 --tool llm_version
if ask nobody 2> "$scratch/error"; then exit 1; fi
grep 'nobody' "$scratch/error"
