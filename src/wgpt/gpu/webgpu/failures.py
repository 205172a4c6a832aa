"""Translates wgpu's exceptions."""

from __future__ import annotations

import re

import wgpu

from ..errors import AllocationError, DeviceLostError, ValidationError


def _is_lost(message: str) -> bool:
    return re.search(r"device (is|was|has been) (lost|destroyed)|device lost", message, re.I) is not None


class translated:
    """Turn WebGPU's exceptions into wgpt's, naming what was being done. A class, because a step enters it several
    times, and a generator's context manager takes three times as long."""

    __slots__ = ("_doing",)

    def __init__(self, doing: str) -> None:
        self._doing = doing

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, wgpu.GPUError):
            return
        message, doing = str(error), self._doing
        if _is_lost(message):
            lost = f"the GPU device was lost while {doing}; open a new one with GpuDevice.open()"
            raise DeviceLostError(lost) from error
        if isinstance(error, wgpu.GPUOutOfMemoryError):
            raise AllocationError(f"out of GPU memory while {doing}: {message}") from error
        raise ValidationError(f"WebGPU rejected {doing}: {message}") from error
