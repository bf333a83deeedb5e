"""Scenarios in which requests are in each other's way or leave early: mixed, cancel, idle."""

import asyncio
import random
import statistics
import time

from client import abandon
from measure import Failed, Sample, check
from prompts import Prompts

UNENDING = 4000
FULL_BATCH = 4
STEP_TOKENS = 2048
OWN_STEP_SECONDS = 1.0
OPEN_STREAMS = 1000


def gaps(frames):
    return [later - earlier for earlier, later in zip(frames, frames[1:])]


def usual_gap(frames):
    """The median gap; frames that come together are one, or else pairs of frames would make the median nothing."""
    mean = (frames[-1] - frames[0]) / (len(frames) - 1)
    return statistics.median(gap for gap in gaps(frames) if gap > mean / 10)


async def frames_of(reply, count):
    """Waits until the reply has so many frames."""
    while len(reply.frames) < count:
        if reply.ended:
            raise Failed(reply.error or "the stream ended early")
        await asyncio.sleep(0.02)


async def mixed(server, settings, turn):
    prompts = Prompts("mixed", turn)
    return [*await long_prompt_beside_stream(server, settings, prompts),
            *await short_behind_long(server, settings, prompts)]


async def long_prompt_beside_stream(server, settings, prompts):
    size = settings.pick(4000, 600)
    stream, task = server.client.start(prompts.chat(40), UNENDING)
    try:
        await frames_of(stream, settings.pick(200, 12))
        calm = usual_gap(stream.frames[1:])
        before = len(stream.frames)
        noise = max(gaps(stream.frames[1:]))
        long_prompt = check([await server.client.chat(prompts.chat(size), 1)])[0]
        await frames_of(stream, len(stream.frames) + 2)
    finally:
        await abandon(task)
        await server.settle()
    disturbed = gaps(stream.frames[before - 1:])
    return [Sample(f"largest gap while a prompt of {size} arrives / median gap", max(disturbed) / calm, "×", "low",
                   limit=("<=", 3)),
            Sample("largest gap", max(disturbed) * 1000, "ms", "low"),
            Sample("largest gap before", noise * 1000, "ms", "low"),
            Sample("median gap before", calm * 1000, "ms", "low"),
            Sample(f"first token of that prompt of {size}", long_prompt.ttft, "s", "low")]


async def short_behind_long(server, settings, prompts):
    size = settings.pick(6000, 1200)
    chunk = min(size, STEP_TOKENS)
    step = check([await server.client.chat(prompts.chat(chunk), 1)])[0].seconds
    if server.has_step_limit:
        step = min(step, OWN_STEP_SECONDS)
    _, task = server.client.start(prompts.chat(size), 1)
    try:
        await asyncio.sleep(0.5)
        short = check([await server.client.chat(prompts.chat(40), 1)])[0]
    finally:
        await abandon(task)
        await server.settle()
    return [Sample(f"first token of a short request behind a prompt of {size}", short.seconds, "s", "low"),
            Sample("the same in the server's own prefill steps", short.seconds / step, "steps", "low")]


async def cancel(server, settings, turn):
    samples = await freed_slots(server, settings, Prompts("slots", turn))
    try:
        return samples + await storm(server, settings, Prompts("storm", turn), random.Random(turn))
    except Failed as failure:
        raise Failed(f"closed sockets: {failure}", samples) from failure


async def freed_slots(server, settings, prompts):
    """On a full batch a stream is closed while one request waits: how long until that one's first token."""
    running = [server.client.start(prompts.chat(32), UNENDING) for _ in range(FULL_BATCH)]
    waits = []
    try:
        for reply, _ in running:
            await frames_of(reply, 6)
        step = usual_gap(running[-1][0].frames)
        chooser = random.Random(7)
        for _ in range(settings.pick(6, 2)):
            newcomer = server.client.start(prompts.chat(32), UNENDING)
            running.append(newcomer)
            await asyncio.sleep(0.5)
            if newcomer[0].frames:
                raise Failed(f"more than {FULL_BATCH} requests ran at once")
            closed = time.perf_counter()
            await abandon(running.pop(chooser.randrange(FULL_BATCH))[1])
            await frames_of(newcomer[0], 1)
            waits.append(newcomer[0].frames[0] - closed)
    finally:
        for _, task in running:
            await abandon(task)
        await server.settle()
    return [Sample("socket closed → first token of the one that waited", statistics.median(waits) * 1000, "ms", "low"),
            Sample("the worst of these, in decode steps", max(waits) / step, "steps", "low")]


async def storm(server, settings, prompts, chooser):
    """Sockets closed at any moment: while queued, in prefill, in decode. Then an answer is what it was before."""
    question = prompts.chat(60)
    before = await server.client.chat(question, 16)
    replies = []

    async def one():
        await asyncio.sleep(chooser.uniform(0, settings.pick(8, 2)))
        reply, task = server.client.start(prompts.chat(chooser.choice((32, 32, 400))), UNENDING)
        replies.append(reply)
        await asyncio.sleep(chooser.uniform(0, settings.pick(6, 2)))
        await abandon(task)

    await asyncio.gather(*(one() for _ in range(settings.pick(60, 10))))
    seconds = await server.settle()
    after = await server.client.chat(question, 16)
    errors = sum(reply.error is not None for reply in [*replies, before, after]) + (before.text != after.text)
    return [Sample(f"{len(replies)} closed at random → all at rest", seconds * 1000, "ms", "low"),
            Sample("errors, or another answer afterwards", errors, "", "low", limit=("<=", 0))]


async def idle(server, settings, turn):
    """Very many open streams, most of them waiting, one in ten read slowly."""
    prompts = Prompts("idle", turn)
    count = settings.pick(OPEN_STREAMS, 100)
    check(await server.client.together(prompts.chats(FULL_BATCH, 24, 40), settings.pick(160, 16)))
    memory = server.resident_bytes()
    streams = [server.client.start(prompts.chat(32), UNENDING, 0.5 if number % 10 == 0 else 0)
               for number in range(count)]
    await asyncio.sleep(settings.pick(25, 12))
    grown = None if memory is None else (server.resident_bytes() - memory) / 1e6
    opened = sum(reply.opened is not None and not reply.ended for reply, _ in streams)
    errors = sum(reply.error is not None for reply, _ in streams)
    for _, task in streams:
        task.cancel()
    await asyncio.gather(*(task for _, task in streams), return_exceptions=True)
    seconds = await server.settle()
    samples = [Sample("open streams", opened, "", limit=(">=", count)),
               Sample("errors", errors, "", "low", limit=("<=", 0)),
               Sample("all closed → all at rest", seconds * 1000, "ms", "low")]
    if grown is not None:
        samples.append(Sample("growth of resident memory", grown, "MB", "low", limit=("<=", 200)))
    return samples
