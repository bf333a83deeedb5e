"""Anthropic's Python SDK: messages, count_tokens, models."""

import os

import anthropic

client = anthropic.Anthropic(base_url=os.environ["OMLX_URL"], api_key="none", max_retries=0, timeout=300)
prompt = dict(model="smollm2", system="Be terse.", messages=[{"role": "user", "content": "Name a colour."}])
asked = prompt | dict(max_tokens=16, extra_body={"temperature": 0})  # the SDK names it no more
tools = [{"name": "get_time", "input_schema": {"type": "object", "properties": {}}}]

whole = client.messages.create(**asked)
assert whole.content[0].text and whole.stop_reason in ("end_turn", "max_tokens"), whole

with client.messages.stream(**asked) as stream:
    streamed = "".join(stream.text_stream)
    final = stream.get_final_message()
assert streamed == final.content[0].text == whole.content[0].text, (streamed, whole)
assert final.usage.output_tokens == whole.usage.output_tokens, (final.usage, whole.usage)

with_tools = client.messages.create(**asked, tools=tools)
assert with_tools.stop_reason in ("end_turn", "max_tokens", "tool_use"), with_tools

usage = whole.usage
counted = client.messages.count_tokens(**prompt).input_tokens
assert counted == usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens, usage

assert "smollm2" in [model.id for model in client.models.list()]
try:
    client.messages.create(**asked | {"model": "nobody"})
    raise AssertionError("an unknown model was answered")
except anthropic.NotFoundError as error:
    assert error.body["error"]["type"] == "not_found_error", error
