"""The Programs of a whole model, for `wgpt explain`: one token of an answer, or a chunk of a prompt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..engine.batch import chunks
from ..gpu import Program
from ..infer.session import Session
from ..models.network import Network
from .models import check_room, prompts

_SPARE = 32  # positions for timed replays


@contextmanager
def decoding(network: Network, context: int, run: bool) -> Iterator[tuple[Program, str]]:
    """The decode step at a context length. With `run`, the cache is filled, so that the step can be timed."""
    check_room(network, context + _SPARE, context)
    with Session(network, context + _SPARE, precision="fast") as session:
        if run:
            session.start(prompts(network, 1, context))
        program = session.step_program(context)
        yield program, f"one token at context length {context}: {len(program)} dispatches per token"


@contextmanager
def reading(network: Network, tokens: int, run: bool) -> Iterator[tuple[Program, str]]:
    """The last chunk of a prompt. With `run`, all chunks have been run."""
    check_room(network, tokens, tokens)
    with Session(network, tokens, precision="fast") as session:
        ids = prompts(network, 1, tokens)
        last = chunks(ids, {0: 0}, session.chunk)[-1]
        if run:
            session.start(ids)
        program = session.forward_program(last)
        program.write("ids", last.ids)
        program.write("places", last.places)
        rows = len(last.where[0])
        part = f"the last {rows} of {tokens} tokens" if rows < tokens else f"{tokens} tokens"
        yield program, f"{part} of a prompt: {len(program) / rows:.2g} dispatches per token"
