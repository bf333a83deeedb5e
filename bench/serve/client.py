"""A streaming chat client that keeps times. Tokens are counted by `usage`, never by frames."""

import asyncio
import dataclasses
import json
import time

import aiohttp

PATIENCE_SECONDS = 240


@dataclasses.dataclass
class Reply:
    """One request as its client saw it; times by `time.perf_counter`, None while the thing has not happened."""

    sent: float = 0
    opened: float | None = None
    ended: float | None = None
    frames: list = dataclasses.field(default_factory=list)
    text: str = ""
    keepalives: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    error: str | None = None

    @property
    def ttft(self):
        return self.frames[0] - self.sent

    @property
    def seconds(self):
        return self.ended - self.sent

    def take(self, event, now):
        if event.get("error"):
            self.error = json.dumps(event["error"])
        usage = event.get("usage")
        if usage:
            self.prompt_tokens = usage["prompt_tokens"]
            self.completion_tokens = usage["completion_tokens"]
            self.cached_tokens = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
        choices = event.get("choices")
        content = choices and (choices[0].get("delta") or {}).get("content")
        if content:
            self.frames.append(now)
            self.text += content
        else:
            self.keepalives += 1


class Client:
    """Each request has a connection of its own, so that ending a request closes its socket."""

    def __init__(self, base, model=None):
        self.base = base
        self.model = model
        self.session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, force_close=True),
            timeout=aiohttp.ClientTimeout(total=None))

    async def close(self):
        await self.session.close()

    async def get(self, path):
        async with self.session.get(self.base + path) as response:
            return response.status, await response.read()

    def start(self, messages, tokens, pause=0):
        """The reply, which fills while the task runs; cancelling the task closes the socket."""
        reply = Reply()
        return reply, asyncio.create_task(self.read(reply, messages, tokens, pause))

    async def chat(self, messages, tokens):
        reply, task = self.start(messages, tokens)
        await task
        return reply

    async def together(self, chats, tokens):
        return list(await asyncio.gather(*(self.chat(messages, tokens) for messages in chats)))

    async def read(self, reply, messages, tokens, pause):
        body = {"messages": messages, "max_tokens": tokens, "temperature": 0, "stream": True, "ignore_eos": True,
                "stream_options": {"include_usage": True}}
        if self.model:
            body["model"] = self.model
        reply.sent = time.perf_counter()
        try:
            async with (asyncio.timeout(PATIENCE_SECONDS),
                        self.session.post(self.base + "/v1/chat/completions", json=body) as response):
                reply.opened = time.perf_counter()
                if response.status != 200:
                    reply.error = f"{response.status}: {(await response.text())[:200]}"
                    return
                await self.events(reply, response, pause)
        except TimeoutError:
            reply.error = f"no end after {PATIENCE_SECONDS} s and {len(reply.frames)} frames"
        except (aiohttp.ClientError, OSError) as failure:
            reply.error = repr(failure)
        finally:
            reply.ended = time.perf_counter()

    async def events(self, reply, response, pause):
        async for line in response.content:
            if line.startswith(b"data: {"):
                reply.take(json.loads(line[6:]), time.perf_counter())
            elif line.startswith(b":"):
                reply.keepalives += 1
            if pause:
                await asyncio.sleep(pause)


async def abandon(task):
    """Closes the request's socket."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
