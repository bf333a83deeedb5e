"""Ollama's Python library."""

import os

import ollama

client = ollama.Client(host=os.environ["OMLX_URL"], timeout=300)
asked = dict(model="smollm2", messages=[{"role": "user", "content": "Name a colour."}],
             options={"num_predict": 16, "temperature": 0})
tools = [{"type": "function", "function": {"name": "get_time", "parameters": {"type": "object", "properties": {}}}}]

whole = client.chat(**asked)
assert whole.done and whole.message.content, whole

parts = list(client.chat(**asked, stream=True))
assert "".join(part.message.content for part in parts) == whole.message.content, (parts, whole)
assert parts[-1].done and parts[-1].eval_count == whole.eval_count, parts[-1]

assert client.chat(**asked, tools=tools).done
assert client.generate(model="smollm2", prompt="One, two,", options={"num_predict": 4}).response
assert any(model.model.startswith("smollm2") for model in client.list().models)
try:
    client.chat(**asked | {"model": "nobody"})
    raise AssertionError("an unknown model was answered")
except ollama.ResponseError as error:
    assert error.status_code == 404, error
