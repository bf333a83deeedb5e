"""Scenarios that measure how much and how soon: decode, prefill, ttft."""

import statistics
import time

from measure import LARGEST_BATCH_WITHOUT_BOUND, Sample, check
from prompts import Prompts

REPEATS = 4  # of a comparison of two ways


def steady_rate(replies):
    """
    Tokens a second while all streams decode, None if they never all do. A frame counts as its stream's tokens (by
    usage) over its stream's frames.
    """
    start = max(reply.frames[0] for reply in replies)
    end = min(reply.frames[-1] for reply in replies)
    inside = sum(
        reply.completion_tokens / len(reply.frames) * sum(start < frame <= end for frame in reply.frames)
        for reply in replies)
    return inside / (end - start) if end > start and inside >= 4 * len(replies) else None


async def decode(server, settings, turn):
    samples = []
    for streams in settings.pick((1, 4, 8, 16, 32), (1, 4)):
        chats = Prompts("decode", turn, streams).chats(streams, 24, 64)
        start = time.perf_counter()
        replies = check(await server.client.together(chats, settings.tokens), server.process and settings.tokens)
        seconds = time.perf_counter() - start
        ratio = 1.0 if streams <= LARGEST_BATCH_WITHOUT_BOUND else 1.2
        name = f"{streams} stream{'s' if streams > 1 else ''}"
        tokens = sum(reply.completion_tokens for reply in replies)
        samples.append(Sample(f"{name}, prompts included", tokens / seconds, "tok/s"))
        steady = steady_rate(replies)
        if steady:
            samples.append(Sample(f"{name}, all decoding", steady, "tok/s", ratio=ratio))
    return samples


async def prefill(server, settings, turn):
    samples = []
    for size in settings.pick((256, 1024, 4096), (256, 512)):
        reply = check([await server.client.chat(Prompts("prefill", turn, size).chat(size), 1)])[0]
        samples.append(Sample(f"one prompt of {size}", reply.prompt_tokens / reply.seconds, "tok/s", ratio=1.0))
    for count in settings.pick((2, 4), (2,)):
        samples += await prompts_at_once(server, Prompts("at once", turn, count), count, 256)
    return samples


async def prompts_at_once(server, prompts, count, size):
    """Both ways several times, each first as often as the other, since the machine's speed changes within seconds."""
    in_turn, at_once = Speed(), Speed()
    for repeat in range(REPEATS):
        for way in (in_turn, at_once)[:: 1 if repeat % 2 else -1]:
            chats = [prompts.chat(size) for _ in range(count)]
            start = time.perf_counter()
            replies = (await server.client.together(chats, 1) if way is at_once
                       else [await server.client.chat(chat, 1) for chat in chats])
            way.add(check(replies), time.perf_counter() - start)
    return [Sample(f"{count} prompts of {size} at once", at_once.rate(), "tok/s", ratio=1.0),
            Sample(f"{count} prompts at once / in turn", at_once.rate() / in_turn.rate(), "×", limit=(">=", 1))]


class Speed:
    """Prompt tokens a second, over several measurements."""

    def __init__(self):
        self.tokens = self.seconds = 0

    def add(self, replies, seconds):
        self.tokens += sum(reply.prompt_tokens for reply in replies)
        self.seconds += seconds

    def rate(self):
        return self.tokens / self.seconds


async def ttft(server, settings, turn):
    prompts = Prompts("ttft", turn)
    replies = [await server.client.chat(prompts.chat(100), 2) for _ in range(settings.pick(7, 3))]
    check(replies)
    return [Sample("prompt of 100, idle server", statistics.median(reply.ttft for reply in replies) * 1000, "ms",
                   "low", ratio=1.0)]
