"""OpenAI's Python SDK: chat, completions, responses, models."""

import os

import openai

client = openai.OpenAI(base_url=os.environ["OMLX_URL"] + "/v1", api_key="none", max_retries=0, timeout=300)
asked = dict(model="smollm2", messages=[{"role": "user", "content": "Name a colour."}], max_tokens=16, temperature=0)
tools = [{"type": "function", "function": {"name": "get_time", "parameters": {"type": "object", "properties": {}}}}]

whole = client.chat.completions.create(**asked)
assert whole.choices[0].message.content and whole.usage.completion_tokens <= 16, whole

chunks = list(client.chat.completions.create(**asked, stream=True, stream_options={"include_usage": True}))
streamed = "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)
assert streamed == whole.choices[0].message.content, (streamed, whole)
assert chunks[-1].usage.completion_tokens == whole.usage.completion_tokens, (chunks[-1], whole)

with_tools = client.chat.completions.create(**asked, tools=tools)
assert with_tools.choices[0].finish_reason in ("stop", "length", "tool_calls"), with_tools

text = client.completions.create(model="smollm2", prompt="One, two,", max_tokens=4)
assert text.choices[0].text, text

said = dict(model="smollm2", input="Name a colour.", max_output_tokens=16, temperature=0)
response = client.responses.create(**said)
with client.responses.stream(**said) as events:
    spoken = "".join(event.delta for event in events if event.type == "response.output_text.delta")
assert spoken == response.output_text != "", (spoken, response)

assert "smollm2" in [model.id for model in client.models.list()]
try:
    client.chat.completions.create(**asked | {"model": "nobody"})
    raise AssertionError("an unknown model was answered")
except openai.NotFoundError as error:
    assert error.code == "model_not_found", error
