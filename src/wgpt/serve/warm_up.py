"""Records the Programs of the first requests before the server reports that it is ready."""

from __future__ import annotations

import random

from ..api import Engine

_ROWS = (1, 2, 4, 8)  # numbers of sequences
# numbers of tokens: one more than the sizes of Programs, because a step computes the last token
_PROMPTS = (33, 65, 129, 513)


def warm_up(engine: Engine, most_rows: int) -> None:
    """Run prompts and steps of common sizes, greedy and sampled; only a few on a software driver, which is slow.

    `most_rows`: most sequences that run or wait at once.
    """
    software, chance = engine.model.device.software, random.Random(0)
    if engine.model.config.encoder is not None:
        for tokens in _PROMPTS[:2] if software else _PROMPTS:
            length, vocab = min(tokens, engine.context), engine.model.config.vocab
            engine.embed([chance.randrange(vocab) for _ in range(length)]).result()
        return

    def run(rows: int, tokens: int, temperature: float) -> None:
        vocab, length = engine.model.config.vocab, max(1, min(tokens, engine.context - 2))
        prompts = [[chance.randrange(vocab) for _ in range(length)] for _ in range(rows)]
        samples = engine.submit_all(prompts, max_tokens=2, temperature=temperature, seed=0, ignore_eos=True)
        for (request,) in samples:
            request.result()

    for tokens in _PROMPTS[:2] if software else _PROMPTS:
        run(1, tokens, 0.0)
    for temperature in (0.0, 1.0):
        for rows in _ROWS[:1] if software else [rows for rows in _ROWS if rows <= most_rows]:
            run(rows, 2, temperature)
    engine.prepare()  # for all other sizes; last, because it would stand in for those above
    engine.forget()
