"""Reads results through pooled staging buffers, without stalling the queue."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import dtypes
from .buffer import Buffer, Tensor
from .core import Core
from .errors import GpuTimeoutError
from .pool import BufferPool
from .process_bound import ProcessBound
from .webgpu.failures import translated
from .webgpu.interface import STAGING, UPLOAD, Copy, MapTicket

_SPIN_SECONDS = 3e-3  # seconds, about a step of a small model: a CPU core that slept is slow to encode the next one
_NAP_SECONDS = 200e-6  # longest sleep while a GPU works: on average, half of it is wasted
_SOFTWARE_NAP_SECONDS = 1e-3
_SOFTWARE_SPIN_SECONDS = 100e-6  # with a software driver, spinning would take the cores that compute


class Patience:
    """How to wait for a GPU: first without sleeping, then with growing sleeps, up to a timeout."""

    def __init__(self, device: Core, timeout: float | None = None) -> None:
        self._device, self._timeout = device, device.timeout if timeout is None else timeout
        self._began = time.perf_counter()

    def pause(self) -> float:
        """Sleep a sixteenth of the time waited so far: little latency at little CPU time."""
        waited, software = time.perf_counter() - self._began, self._device.software
        if waited > self._timeout:
            raise GpuTimeoutError(
                f"{self._device.info.name} did not finish within {self._timeout:g} s: the work is too large or the "
                "driver hangs (raise GpuDevice.timeout, or split the work)"
            )
        if waited < (_SOFTWARE_SPIN_SECONDS if software else _SPIN_SECONDS):
            return 0.0  # lets other threads run
        return min(waited / 16, _SOFTWARE_NAP_SECONDS if software else _NAP_SECONDS)


def wait_until(done: Callable[[], bool], device: Core, timeout: float | None = None) -> None:
    """Poll until the condition holds, with Patience."""
    if not done():
        patience = Patience(device, timeout)
        while not done():
            time.sleep(patience.pause())


class Pending(ProcessBound):
    """Results in progress. `result()` waits; `await pending` waits without blocking the event loop.

    Submit the next step before asking for the last result, so that the GPU never idles. Staging buffers of a Pending
    that is dropped unread may still be mapped: they are freed with it and not reused.
    """

    _way_out = "pass on its result() instead"

    def __init__(self, device: Core, pool: BufferPool, outputs: dict[str, Tensor]) -> None:
        self._device, self._pool, self._outputs = device, pool, outputs
        self._slots: dict[str, Buffer] = {
            name: pool.take(t.nbytes, STAGING, f"staging {name}") for name, t in outputs.items()
        }
        self.submits: list[Future[None]] = []  # pieces that were passed to the submitting thread
        self._tickets: dict[str, MapTicket] = {}
        self._is_mapped = False
        self._uploads: list[Buffer] = []  # buffers that the work copies from
        self._values: dict[str, NDArray[Any]] | None = None

    def copies(self) -> list[Copy]:
        return [
            Copy(t.buffer.handle, t.offset, self._slots[name].handle, t.nbytes) for name, t in self._outputs.items()
        ]

    def use(self, upload: Buffer) -> None:
        """Return the buffer to its pool when the results are there."""
        self._uploads.append(upload)

    def start(self) -> None:
        """Start mapping the staging buffers; called after the submit."""
        for name, t in self._outputs.items():
            self._tickets[name] = self._device.webgpu.map(self._slots[name].handle, t.nbytes)

    @property
    def collected(self) -> bool:
        return self._values is not None

    def done(self) -> bool:
        if self._values is not None:
            return True
        self._device.check_alive()
        if self._is_mapped:
            return True
        if not all(submit.done() for submit in self.submits):
            return False
        for submit in self.submits:
            submit.result()  # raises what went wrong
        with self._device.lock, translated("waiting for the GPU"):
            self._device.check_alive()
            self._is_mapped = all(ticket.poll() for ticket in self._tickets.values())
        return self._is_mapped

    def result(self, timeout: float | None = None) -> dict[str, NDArray[Any]]:
        """Wait, then return the arrays by name."""
        wait_until(self.done, self._device, timeout)
        return self._collect()

    async def result_async(self, timeout: float | None = None) -> dict[str, NDArray[Any]]:
        """As `result`, for asyncio: other tasks run while the GPU works."""
        patience = Patience(self._device, timeout)
        while not self.done():
            await asyncio.sleep(patience.pause())
        return self._collect()

    def __await__(self) -> Generator[Any, None, dict[str, NDArray[Any]]]:
        return self.result_async().__await__()

    def _collect(self) -> dict[str, NDArray[Any]]:
        if self._values is None:
            values = {}
            with self._device.lock, translated("reading back"):
                for name, t in self._outputs.items():
                    dtype = dtypes.NUMPY[t.dtype]
                    padded = t.size * dtype.itemsize < t.nbytes
                    raw = np.empty(t.nbytes // dtype.itemsize if padded else t.shape, dtype)
                    self._tickets[name].take(raw.data)
                    values[name] = raw[: t.size].reshape(t.shape) if padded else raw
                    self._pool.give(self._slots[name], STAGING)
                for upload in self._uploads:
                    self._pool.give(upload, UPLOAD)
            self._values, self._tickets, self._slots, self._uploads = values, {}, {}, []
        return self._values


def read(device: Core, pool: BufferPool, tensor: Tensor) -> NDArray[Any]:
    """Copy a tensor to the host; waits for the work before it."""
    pending = Pending(device, pool, {"": tensor})
    with device.lock, translated("reading back"):
        device.check_alive()
        device.settle()
        device.submitter.takes("never", pending)  # the newest result is this one, and it is awaited at once
        device.webgpu.submit(device.webgpu.ready(()), pending.copies())
        pending.start()
        device.submits += 1
    return pending.result()[""]
