"""The CPU time to record and submit commands, on all threads involved."""

from __future__ import annotations

import time

from ..gpu import GpuDevice


class SubmitClock:
    """Counts the calling thread inside `with clock:`, and the device's submit thread always, because it lags behind.

    Read `seconds` when everything is submitted: when results have arrived, or after the device's `settle`.
    """

    def __init__(self, device: GpuDevice) -> None:
        self._submitter = device.submitter
        self._before = self._submitter.cpu_seconds
        self._caller_seconds = self._entered = 0.0

    def __enter__(self) -> None:
        self._entered = time.thread_time()

    def __exit__(self, *_: object) -> None:
        self._caller_seconds += time.thread_time() - self._entered

    @property
    def seconds(self) -> float:
        return self._caller_seconds + self._submitter.cpu_seconds - self._before
