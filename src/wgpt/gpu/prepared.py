"""Commands that are recorded and closed before they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .core import Core
from .webgpu.failures import translated


class Prepared:
    """Commands of a replay by piece. They are recorded here; the submitting thread closes them when it gets there."""

    def __init__(self, device: Core, pieces: Sequence[Any]) -> None:
        self._webgpu, self._closed = device.webgpu, list[Any]()
        recorded = [device.webgpu.record(piece) for piece in pieces]

        def close() -> None:
            with translated("preparing a Program"):
                self._closed += [self._webgpu.close(each) for each in recorded]

        self._closing = device.submitter.hand_over(close)

    def submit(self) -> None:
        """Submit them. On the submitting thread, the closing came before."""
        self._closing.result()
        for commands in self._closed:
            self._webgpu.submit_closed(commands)

    def discard(self) -> None:
        """Free them instead."""
        self._closing.exception()  # waits
        for commands in self._closed:
            self._webgpu.discard_closed(commands)
