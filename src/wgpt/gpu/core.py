"""What allocation and dispatch need from a device, on any WebGPU implementation: limits, a lock, memory accounting."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import cast

from ..core.errors import WgptError
from ..core.sizes import MEMORY_LIMIT, readable_bytes
from . import forks
from .deferred import flush_deferred
from .errors import AllocationError, DeviceLostError
from .process_bound import ProcessBound
from .submitter import Submitter
from .typed import typed_methods
from .webgpu.failures import translated
from .webgpu.interface import GpuInfo, WebGpu

_RECLAIM_SECONDS = 1.0  # at most, for the uploads that nothing was submitted after
_SOFTWARE_AHEAD = 2


@typed_methods
class Core(ProcessBound):
    """A device without its buffers and caches."""

    _way_out = "open the GPU in the process that needs it (GpuDevice.open)"

    timeout = 60.0  # most seconds to wait for the GPU

    def __init__(self, info: GpuInfo, webgpu: WebGpu, memory_limit: int | None = None) -> None:
        self.info, self.webgpu, self.memory_limit = info, webgpu, memory_limit
        self.limits, self.features = dict(webgpu.limits), webgpu.features
        if info.software:
            self.timeout *= 10  # the first run of a shader compiles it, on CPU cores that others may need
        self.lock = threading.RLock()
        self.submitter = Submitter()
        self._counting = threading.RLock()  # any thread may drop a buffer
        self.bytes_in_use = self.buffers_in_use = self.peak_bytes = self.host_bytes = 0
        self.unreclaimed_bytes = 0  # bytes of buffers released since the last `reclaim`
        self.uploaded_bytes = self.submits = self.releases = 0
        self.closed = self.forked = False
        forks.register(self)

    @property
    def software(self) -> bool:
        return self.info.software

    @property
    def compiles_late(self) -> bool:
        """Whether a shader is compiled at its first dispatch rather than when its pipeline is created."""
        return self.software

    @property
    def ahead(self) -> int:
        """How many Programs to keep in progress. A software driver computes during the submit."""
        return _SOFTWARE_AHEAD if self.software else self.webgpu.ahead

    def _count(self, nbytes: int, buffers: int, on_host: bool = False) -> None:
        """Count allocated bytes; negative: released ones."""
        with self._counting:
            if on_host:
                self.host_bytes += nbytes
            else:
                self.bytes_in_use += nbytes
            self.buffers_in_use += buffers
            self.unreclaimed_bytes += max(0, -nbytes)
            self.releases += buffers < 0
            self.peak_bytes = max(self.peak_bytes, self.bytes_in_use)

    def check_memory(self, size: int, where: str) -> None:
        """Refuse an allocation beyond the user's limit."""
        if self.memory_limit is not None and self.bytes_in_use + size > self.memory_limit:
            allowed = f"the {readable_bytes(self.memory_limit)} that {MEMORY_LIMIT} allows"
            raise AllocationError(f"out of {allowed}; {where}: release something, or raise the limit")

    def reclaim(self) -> None:
        """Return the memory of released buffers to the system, as far as the GPU has finished with it.

        wgpu itself keeps it until the next submit has finished and been polled. If work is running, that will happen
        anyway; otherwise this makes an empty submit.
        """
        # a lost device has no memory left
        with self.lock, suppress(WgptError), translated("reclaiming memory"):
            if self.closed or self.forked:
                return
            self.submitter.settle()
            self.unreclaimed_bytes = 0
            if self.webgpu.poll():
                self.webgpu.submit_nothing()
                until = time.perf_counter() + _RECLAIM_SECONDS
                while not self.webgpu.poll() and time.perf_counter() < until:
                    time.sleep(1e-3)

    def settle(self) -> None:
        """Wait until all recorded work is submitted, and raise errors of work whose result nobody awaits.

        Call it before using WebGPU's queue directly.
        """
        flush_deferred(self)
        self.settle_submits()

    def settle_submits(self) -> None:
        """As `settle`, but without submitting deferred work."""
        self.submitter.settle()
        self.submitter.check()

    def check_alive(self) -> None:
        if self.forked:
            forks.check()
        if self.closed:
            raise DeviceLostError(f"{self.info.name} was closed; open it again with GpuDevice.open()")

    def after_fork(self) -> None:
        """Called in a forked child: any use of the GPU then raises ForkError, and locks that the parent's threads held
        are replaced.
        """
        self.forked = True
        self.webgpu = cast(WebGpu, forks.ForkedWebGpu())
        self.lock, self._counting = threading.RLock(), threading.RLock()
        self.submitter = Submitter()

    def close(self) -> None:
        """Close the device."""
        if not self.closed:
            self.submitter.settle()
            self.closed = True
            self.submitter.close()
            if not self.forked:
                self.webgpu.destroy()
