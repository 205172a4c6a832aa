"""The exceptions of wgpt: each names the request, the limit and the way out."""

from __future__ import annotations


class WgptError(Exception):
    """Base of everything wgpt raises on purpose.

    >>> try:
    ...     wgpt.load("no-such-model.gguf")
    ... except wgpt.WgptError as error:
    ...     print(type(error).__name__)
    SourceError
    """


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
    """An object that belongs to this process and its GPU was to be pickled or copied."""


class GpuTimeoutError(WgptError):
    """The GPU did not finish in time."""


class PreconditionError(WgptError, ValueError):
    """Invalid arguments, or a problem outside a kernel's contract; nothing was dispatched."""


def readable_bytes(n: float) -> str:
    """1536 -> '1.5 KiB'."""
    n = min(n, 1e30)  # beyond that, a whole number may be no float
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(n) < 1024:
            return f"{n:.0f} {unit}" if unit == "B" else f"{n:.1f} {unit}"
        n /= 1024
    return f"{n:.1f} TiB"
