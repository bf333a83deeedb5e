"""LangChain over OpenAI's and Anthropic's faces."""

import os

import anthropic
import openai
from langchain_anthropic import ChatAnthropic
from langchain_openai import ChatOpenAI

url = os.environ["OMLX_URL"]


def get_time() -> str:
    """Tells the time."""
    return "noon"


def check(connect, not_found):
    model = connect("smollm2")
    whole = model.invoke("Name a colour.")
    assert whole.text and whole.usage_metadata["output_tokens"] <= 16, whole
    assert "".join(chunk.text for chunk in model.stream("Name a colour.")) == whole.text, whole
    assert model.bind_tools([get_time]).invoke("Name a colour.").usage_metadata
    try:
        connect("nobody").invoke("Name a colour.")
        raise AssertionError("an unknown model was answered")
    except not_found:
        pass


check(lambda name: ChatOpenAI(model=name, base_url=url + "/v1", api_key="none", max_tokens=16, temperature=0),
      openai.NotFoundError)
check(lambda name: ChatAnthropic(model=name, base_url=url, api_key="none", max_tokens=16, temperature=0),
      anthropic.NotFoundError)
