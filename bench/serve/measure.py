"""What a scenario gives back."""

import dataclasses

LARGEST_BATCH_WITHOUT_BOUND = 4


@dataclasses.dataclass(frozen=True)
class Sample:
    """
    One figure of one server in one round.

    label: the row it belongs to; the same in each round
    better: "high" or "low", which of two servers is ahead
    ratio: what the ratio to mlx-lm must reach, if it must
    limit: what our own figure must keep to, as ("<=", 3), if it must
    """

    label: str
    value: float
    unit: str
    better: str = "high"
    ratio: float | None = None
    limit: tuple | None = None


@dataclasses.dataclass(frozen=True)
class Settings:
    """How long and how large; `quick` shows that all works and measures nothing."""

    quick: bool
    tokens: int
    rounds: int | None

    def pick(self, full, quick):
        return quick if self.quick else full


class Failed(Exception):
    """
    A server did what makes its figure worthless: an error, too few tokens, a prompt from its cache.

    samples: what had been measured by then
    """

    def __init__(self, reason, samples=()):
        super().__init__(reason)
        self.samples = list(samples)


def check(replies, tokens=None, cached=16):
    """The replies if each ended well, with so many tokens, and with few from a cache."""
    for reply in replies:
        if reply.error:
            raise Failed(reply.error)
        if not reply.completion_tokens:
            raise Failed("no usage in the stream")
        if tokens and reply.completion_tokens != tokens:
            raise Failed(f"{reply.completion_tokens} tokens instead of {tokens}")
        if reply.cached_tokens > cached:
            raise Failed(f"{reply.cached_tokens} prompt tokens came from a cache")
    return replies
