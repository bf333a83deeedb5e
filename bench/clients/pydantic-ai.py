"""Pydantic AI over chat completions, responses and messages."""

import os

from pydantic_ai import Agent, ModelHTTPError
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

url = os.environ["OMLX_URL"]
openai = OpenAIProvider(base_url=url + "/v1", api_key="none")
anthropic = AnthropicProvider(base_url=url, api_key="none")
settings = {"max_tokens": 16, "temperature": 0}


def check(kind, provider):
    model = kind("smollm2", provider=provider)
    agent = Agent(model, model_settings=settings)
    whole = agent.run_sync("Name a colour.")
    assert whole.output and whole.usage.output_tokens, whole
    streamed = agent.run_stream_sync("Name a colour.")
    assert list(streamed.stream_text())[-1] == whole.output, whole

    helped = Agent(model, model_settings=settings)
    helped.tool_plain(lambda: "noon", name="get_time")
    assert helped.run_sync("Name a colour.").output

    try:
        Agent(kind("nobody", provider=provider), model_settings=settings).run_sync("Name a colour.")
        raise AssertionError("an unknown model was answered")
    except ModelHTTPError as error:
        assert error.status_code == 404, error


check(OpenAIChatModel, openai)
check(OpenAIResponsesModel, openai)
check(AnthropicModel, anthropic)
