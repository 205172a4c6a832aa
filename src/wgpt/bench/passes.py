"""The Programs of a whole model for `wgpt explain`: a decode step, or a chunk of a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..engine.fixed_batch import FixedBatch
from ..gpu import Program
from ..models.network import Network
from .models import check_room, prompts

_SPARE = 32  # positions reserved for timed replays


@contextmanager
def decoding(network: Network, context: int, run: bool) -> Iterator[tuple[Program, str]]:
    """The decode step at a context length. With `run`, the cache is filled so that the step can be timed."""
    check_room(network, context + _SPARE, context)
    with FixedBatch(network, context + _SPARE, precision="fast") as batch:
        if run:
            batch.start(prompts(network, 1, context))
            batch.send()
        program = batch.step_program(context)
        yield program, f"one token at context length {context}: {len(program)} dispatches per token"


@contextmanager
def reading(network: Network, tokens: int, run: bool) -> Iterator[tuple[Program, str]]:
    """The last chunk of a prompt, with the choice of the next token. With `run`, earlier chunks have been run."""
    check_room(network, tokens, tokens)
    with FixedBatch(network, tokens, precision="fast") as batch:
        ids = prompts(network, 1, tokens)
        program, rows = batch.last_program(ids)
        if run:
            batch.first(ids).result()
        part = f"the last {rows} of {tokens} tokens" if rows < tokens else f"{tokens} tokens"
        yield program, f"{part} of a prompt: {len(program) / rows:.2g} dispatches per token"
