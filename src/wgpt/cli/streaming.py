"""A reply on its way to the terminal: a bar while the prompt is read, Ctrl-C that waits for the token at hand."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from ..api import Model, Stream
from ..gpu import readable_bytes
from ..infer.generate import Completion
from ..table import number
from .common import Step, progress_bar

INTERRUPTED = "interrupted"  # a reason that only a person gives


@contextmanager
def patient() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed: once it only asks, twice it raises.

    An exception at any moment may fall into a callback of the GPU library, where it is lost or does harm.
    """
    asked = False

    def ask(*_: object) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # ignored, as under nohup, or somebody else's
        yield lambda: False
        return
    signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


def show(start: Callable[[Step], Stream], emit: Callable[[str], object]) -> Completion:
    """Write a stream's pieces as they come; the reason is "interrupted" where Ctrl-C ended it."""
    with patient() as asked:
        with progress_bar("reading") as bar:

            def progress(done: int, total: int, what: str) -> None:
                if asked():
                    raise KeyboardInterrupt
                bar(done, total, what)

            stream = start(progress)
            piece = next(stream, None)
        with closing(stream):
            while piece is not None:
                emit(piece)
                if asked():
                    stream.completion.reason = stream.completion.reason or INTERRUPTED
                    break
                piece = next(stream, None)
    return stream.completion


def write(piece: str) -> None:
    """Onto stdout, at once."""
    sys.stdout.write(piece)
    sys.stdout.flush()


def silent(piece: str) -> None:
    """For answers that come whole."""


def statistics(model: Model, done: Completion) -> str:
    """How fast it was, and why it ended if not by itself; one line."""
    fresh = done.prompt_tokens - done.cached_tokens
    kept = f", {done.cached_tokens} more in the cache" if done.cached_tokens else ""
    compiled = f" ({number(done.compile_s)} s of it to compile)" if done.compile_s > 0.1 else ""
    line = ", ".join(
        [
            f"prefill {number(done.prefill_rate)} tok/s ({fresh} tokens{kept})",
            f"decode {number(done.decode_rate)} tok/s ({len(done.ids)} tokens)",
            f"first token after {number(done.first_token_s)} s{compiled}",
            f"GPU memory {readable_bytes(model.device.peak_bytes)}",
        ]
    )
    why = {
        "length": f"; stopped at --max-tokens {len(done.ids)}",
        "context": f"; stopped because the context of {model.context} tokens is full (--overflow slide goes on)",
        INTERRUPTED: "; interrupted",
    }
    return line + why.get(done.reason, "")
