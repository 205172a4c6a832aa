"""The exceptions of the GPU: each names the request, the limit and the way out."""

from __future__ import annotations

from ..core.errors import WgptError


class NoGpuError(WgptError):
    """No usable GPU, or none that matches the request."""


class FaultyDriverError(WgptError):
    """The driver computes wrong numbers; a probe showed it."""


class ShaderError(WgptError):
    """A shader did not compile."""


class AllocationError(WgptError):
    """A buffer could not be allocated: too large for the GPU, or memory is full."""


class ValidationError(WgptError):
    """WebGPU rejected a command."""


class DeviceLostError(WgptError):
    """The device is gone (driver reset, unplugged, destroyed); open a new one."""


class ForkError(WgptError):
    """The process was forked from one that had used the GPU."""


class ProcessBoundError(WgptError, TypeError):
    """An attempt to pickle or copy an object that belongs to this process and its GPU."""


class GpuTimeoutError(WgptError):
    """The GPU did not finish in time."""
