"""The scenarios by name."""

import dataclasses
import typing

import disturbance
import throughput
from servers import MLX_LM, OURS, VLLM_MLX

ALL = (OURS, MLX_LM, VLLM_MLX)


@dataclasses.dataclass(frozen=True)
class Scenario:
    """
    rounds: how many, in a full run
    servers: those that it makes sense for
    batch: how many requests a server may run at once, None for its own default
    """

    name: str
    title: str
    run: typing.Callable
    rounds: int
    servers: tuple = ALL
    batch: int | None = None


SCENARIOS = [
    Scenario("decode", "Many streams at once, greedy, after prompts of 24 to 64 tokens", throughput.decode, 3),
    Scenario("prefill", "Prompts read", throughput.prefill, 3),
    Scenario("ttft", "Time to first token", throughput.ttft, 3),
    Scenario("mixed", "A long prompt among others", disturbance.mixed, 1),
    Scenario("cancel", f"Clients that leave ({disturbance.FULL_BATCH} requests at once)", disturbance.cancel, 1,
             batch=disturbance.FULL_BATCH),
    Scenario("idle", f"Very many open streams ({disturbance.FULL_BATCH} requests at once)", disturbance.idle, 1,
             servers=(OURS,), batch=disturbance.FULL_BATCH),
]
