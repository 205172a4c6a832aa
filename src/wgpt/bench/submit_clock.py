"""The CPU's time to record and submit commands, whichever thread takes it."""

from __future__ import annotations

import time

from ..gpu import GpuDevice


class SubmitClock:
    """Counts the caller's thread within `with clock:`, and the device's own thread all the time, for it lags behind.

    Read `seconds` when everything is submitted: results are there, or the device is settled.
    """

    def __init__(self, device: GpuDevice) -> None:
        self._submitter = device.submitter
        self._before = self._submitter.cpu_seconds
        self._here = self._entered = 0.0

    def __enter__(self) -> None:
        self._entered = time.thread_time()

    def __exit__(self, *_: object) -> None:
        self._here += time.thread_time() - self._entered

    @property
    def seconds(self) -> float:
        return self._here + self._submitter.cpu_seconds - self._before
