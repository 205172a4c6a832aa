"""wgpu's exceptions as ours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import wgpu

from ..errors import AllocationError, DeviceLostError, ValidationError


def _is_lost(message: str) -> bool:
    return re.search(r"device (is|was|has been) (lost|destroyed)|device lost", message, re.I) is not None


@contextmanager
def translated(doing: str) -> Iterator[None]:
    """Turn WebGPU's exceptions into ours, saying what was being done."""
    try:
        yield
    except wgpu.GPUError as e:
        message = str(e)
        if _is_lost(message):
            raise DeviceLostError(f"the GPU device was lost while {doing}; open a new one with GpuDevice.open()") from e
        if isinstance(e, wgpu.GPUOutOfMemoryError):
            raise AllocationError(f"out of GPU memory while {doing}: {message}") from e
        raise ValidationError(f"WebGPU rejected {doing}: {message}") from e
