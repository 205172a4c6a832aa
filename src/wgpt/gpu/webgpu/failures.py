"""wgpu's exceptions as ours."""

from __future__ import annotations

import re

import wgpu

from ..errors import AllocationError, DeviceLostError, ValidationError


def _is_lost(message: str) -> bool:
    return re.search(r"device (is|was|has been) (lost|destroyed)|device lost", message, re.I) is not None


class translated:
    """Turn WebGPU's exceptions within into ours, saying what was being done. As a generator it would take longer."""

    def __init__(self, doing: str) -> None:
        self._doing = doing

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if not isinstance(error, wgpu.GPUError):
            return
        message, doing = str(error), self._doing
        if _is_lost(message):
            raise DeviceLostError(
                f"the GPU device was lost while {doing}; open a new one with GpuDevice.open()"
            ) from error
        if isinstance(error, wgpu.GPUOutOfMemoryError):
            raise AllocationError(f"out of GPU memory while {doing}: {message}") from error
        raise ValidationError(f"WebGPU rejected {doing}: {message}") from error
