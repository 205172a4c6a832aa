"""Commands that are recorded and closed before they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .core import Core
from .readback import Pending
from .webgpu.failures import translated


class Prepared:
    """Commands of a replay by piece, with the copies of its outputs to `pending`, if there are any.

    They are recorded here; the submitting thread closes them when it gets there.
    """

    def __init__(self, device: Core, pieces: Sequence[Any], pending: Pending) -> None:
        self._webgpu, self._closed, self.pending = device.webgpu, list[Any](), pending
        recorded = [device.webgpu.record(piece) for piece in pieces[:-1]]
        recorded.append(device.webgpu.record(pieces[-1], pending.copies()))

        def close() -> None:
            with translated("preparing a Program"):
                self._closed += [self._webgpu.close(each) for each in recorded]

        self._closing = device.submitter.hand_over(close)

    def submit(self) -> None:
        """Submit them, and ask for the outputs. On the submitting thread, the closing came before."""
        self._closing.result()
        for commands in self._closed:
            self._webgpu.submit_closed(commands)
        self.pending.start()

    def discard(self) -> None:
        """Free them instead. wgpu-native 29.0.1.1 keeps them all the same, 1.2 kB a dispatch: prepare few Programs."""
        self._closing.exception()  # waits
        for commands in self._closed:
            self._webgpu.discard_closed(commands)
