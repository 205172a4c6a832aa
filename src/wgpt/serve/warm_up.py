"""Record what the first requests need before the server says that it is ready."""

from __future__ import annotations

from ..api import Engine

_ROWS = (1, 2, 4, 8)  # sequences at once
_PROMPTS = (16, 128, 512)  # tokens
_TOKEN = 1  # any will do


def warm_up(engine: Engine) -> None:
    """Run prompts and steps of common sizes, greedy and sampled."""
    software = engine.model.device.software
    context = engine.context
    vocab = engine.model.config.vocab
    for tokens in _PROMPTS[:1] if software else _PROMPTS:
        _run(engine, 1, min(tokens, context - 2), vocab, 0.0)
    for temperature in (0.0, 1.0):
        for rows in _ROWS[:1] if software else _ROWS:
            _run(engine, rows, min(16, context - 2), vocab, temperature)
    engine.forget()


def _run(engine: Engine, rows: int, tokens: int, vocab: int, temperature: float) -> None:
    """Different prompts, so that each is read."""
    prompts = [[(_TOKEN + row) % vocab] * max(1, tokens) for row in range(rows)]
    requests = [
        engine.submit(prompt, max_tokens=2, temperature=temperature, seed=0, ignore_eos=True) for prompt in prompts
    ]
    for request in requests:
        request.result()
