"""Printing an answer as it is generated: a bar while the prompt is processed, and a Ctrl-C that keeps the text."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import typer

from ..api import Model, Stream
from ..core.progress import Progress
from ..core.sizes import readable_bytes
from ..engine.completion import CANCELLED, Completion
from ..ops.fallbacks import fallback_line
from ..table import number
from .progress import progress_bar
from .styles import styled, watched
from .wrapping import WordWrap

INTERRUPTED = "interrupted"  # the reason of an answer cut short by Ctrl-C


@contextmanager
def deferred_ctrl_c(started: Callable[[], bool] = lambda: True) -> Iterator[Callable[[], bool]]:
    """Yields a function that says whether Ctrl-C was pressed.

    The first Ctrl-C is only noted, so that the current token is still shown; the second raises KeyboardInterrupt.
    Before the answer has started, the first raises too.
    """
    pressed = False

    def handle(*_: object) -> None:
        nonlocal pressed
        if pressed or not started():
            raise KeyboardInterrupt
        pressed = True

    previous = signal.getsignal(signal.SIGINT)
    if previous is not signal.default_int_handler:  # SIGINT is ignored, as under nohup, or handled by the caller
        yield lambda: False
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, previous)


def show(start: Callable[[Progress], Stream], emit: Callable[[str], object]) -> Completion:
    """Write the pieces of a stream as they come; its reason becomes "interrupted" if Ctrl-C ends it.

    While the prompt is processed, which may take long, Ctrl-C raises at once: there is no text to lose yet.
    """
    started = False
    with deferred_ctrl_c(lambda: started) as interrupted:
        with progress_bar("processing prompt") as bar:

            def progress(done: int, total: int, description: str) -> None:
                nonlocal started
                bar(done, total, description)
                started = 0 < total <= done

            stream = start(progress)
            piece = next(stream, None)
        with closing(stream):
            started = True
            while piece is not None:
                emit(piece)
                if interrupted():
                    stream.close()
                    for rest in stream:  # the text generated meanwhile, so that exactly what is shown is kept
                        emit(rest)
                    if stream.completion.reason == CANCELLED:
                        stream.completion.reason = INTERRUPTED
                    break
                piece = next(stream, None)
    return stream.completion


def write(piece: str) -> None:
    """Write to stdout and flush."""
    sys.stdout.write(piece)
    sys.stdout.flush()


@contextmanager
def answer_writer() -> Iterator[Callable[[str], None]]:
    """A function that writes to stdout; on a terminal, it wraps lines between words."""
    if not watched(sys.stdout):
        yield write
        return
    wrapped = WordWrap(write)
    try:
        yield wrapped
    finally:
        wrapped.finish()


def silent(piece: str) -> None:
    """Write nothing: the whole answer is printed at the end."""


def print_fallbacks(model: Model) -> None:
    """Print on stderr which operations have no Triton kernel, with --kernels triton."""
    line = fallback_line(model.fallbacks)
    if line:
        typer.echo(styled(line, dim=True), err=True)


def statistics(model: Model, completion: Completion) -> str:
    """The speed in one line, and why the answer ended if the model did not end it itself."""
    processed = completion.prompt_tokens - completion.cached_tokens
    cached = f", {completion.cached_tokens} more in the cache" if completion.cached_tokens else ""
    compiled = f" ({number(completion.compile_s)} s of it compiling)" if completion.compile_s > 0.1 else ""
    line = ", ".join(
        [
            f"prefill {number(completion.prefill_rate)} tok/s ({processed} tokens{cached})",
            f"decode {number(completion.decode_rate)} tok/s ({len(completion.ids)} tokens)",
            f"first token after {number(completion.first_token_s)} s{compiled}",
            f"GPU memory {readable_bytes(sum(device.peak_bytes for device in model.network.devices))}",
        ]
    )
    ending = {
        "length": f"; stopped at --max-tokens {len(completion.ids)}",
        "context": f"; stopped because the context of {model.context} tokens is full (use --overflow slide to go on)",
        INTERRUPTED: "; interrupted",
    }
    return line + ending.get(completion.reason, "")
