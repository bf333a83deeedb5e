"""Prompts of a wanted size. No two begin alike, so that no server's prefix cache helps."""

import random

WORDS = ("the river runs past old stone houses where people mend nets and talk about weather while boats wait for "
         "morning light over cold water near green hills under quiet stars").split()
TEMPLATE_TOKENS = 16
SYSTEM_WORDS = 8

QUESTIONS = [
    "What is the capital of France?",
    "Write one sentence about the sea.",
    "Name three colours.",
    "Explain what a bicycle is to a child.",
    "What do bees do in winter?",
    "List the days of the week.",
]


class Prompts:
    """The same ones for the same seed: all servers of a round get the same."""

    def __init__(self, *seed):
        self.random = random.Random("/".join(map(str, seed)))

    def chat(self, tokens):
        """A chat of about so many tokens; its own system message keeps the template's common one away."""
        words = self.random.choices(WORDS, k=max(SYSTEM_WORDS + 1, tokens - TEMPLATE_TOKENS))
        return [{"role": "system", "content": " ".join(words[:SYSTEM_WORDS])},
                {"role": "user", "content": " ".join(words[SYSTEM_WORDS:])}]

    def chats(self, count, least, most):
        """Of mixed length."""
        return [self.chat(self.random.randint(least, most)) for _ in range(count)]
