"""Free GPU memory: WebGPU does not report it, so this allocates memory and frees it again."""

from __future__ import annotations

import os
from pathlib import Path

from ..gpu import AllocationError, Buffer, GpuDevice

_PIECE = 256 << 20


def room(device: GpuDevice, size: int) -> int:
    """`size` if so many bytes are free now, else about how many are."""
    if device.info.software:
        return min(size, _of_the_machine())
    buffers: list[Buffer] = []
    try:
        while (allocated := sum(buffer.size for buffer in buffers)) < size:
            buffers.append(Buffer(device, min(_PIECE, size - allocated), label="memory probe"))
    except AllocationError:
        pass
    finally:
        for buffer in buffers:
            buffer.release()
    return min(size, sum(buffer.size for buffer in buffers))


def _of_the_machine() -> int:
    """Free host memory: a software driver uses it, and does not notice in time when it runs out."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 62  # unknown on this system
