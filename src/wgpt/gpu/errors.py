"""The exceptions of wgpt: each names what was asked, what the limit is, and the way out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager


class WgptError(Exception):
    """Base of everything wgpt raises on purpose."""


class NoAdapterError(WgptError):
    """No usable GPU adapter, or none that matches what was asked for."""


class FaultyDriverError(WgptError):
    """The driver computes wrong numbers; a probe showed it."""


class ShaderError(WgptError):
    """A shader did not compile."""


class AllocationError(WgptError):
    """A buffer could not be had: too large for the adapter, or memory is full."""


class ValidationError(WgptError):
    """WebGPU refused a command."""


class DeviceLostError(WgptError):
    """The device is gone (driver reset, unplugged, destroyed); open a new one."""


class GpuTimeoutError(WgptError):
    """The GPU did not finish in time."""


class PreconditionError(WgptError, ValueError):
    """A kernel was asked for a problem outside its contract; nothing was dispatched."""


def readable_bytes(n: float) -> str:
    """1536 -> '1.5 KiB'."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(n) < 1024:
            return f"{n:.0f} {unit}" if unit == "B" else f"{n:.1f} {unit}"
        n /= 1024
    return f"{n:.1f} TiB"


def _is_lost(message: str) -> bool:
    return re.search(r"device (is|was|has been) (lost|destroyed)|device lost", message, re.I) is not None


@contextmanager
def translated(doing: str) -> Iterator[None]:
    """Turn wgpu's exceptions into ours, saying what was being done."""
    import wgpu

    try:
        yield
    except wgpu.GPUError as e:
        message = str(e)
        if _is_lost(message):
            raise DeviceLostError(f"the GPU device was lost while {doing}; open a new one with GpuDevice.open()") from e
        if isinstance(e, wgpu.GPUOutOfMemoryError):
            raise AllocationError(f"out of GPU memory while {doing}: {message}") from e
        raise ValidationError(f"WebGPU refused {doing}: {message}") from e
