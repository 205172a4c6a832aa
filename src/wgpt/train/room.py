"""How much memory a device has to give: WebGPU does not say, so it is asked for, and given back."""

from __future__ import annotations

import os
from pathlib import Path

from ..gpu import AllocationError, Buffer, GpuDevice

_PIECE = 256 << 20


def room(device: GpuDevice, wanted: int) -> int:
    """`wanted` bytes if they can be had at this moment, else about how many can."""
    if device.info.software:
        return min(wanted, _of_the_machine())
    held: list[Buffer] = []
    try:
        while (have := sum(buffer.size for buffer in held)) < wanted:
            held.append(Buffer(device, min(_PIECE, wanted - have), label="is there room?"))
    except AllocationError:
        pass
    finally:
        for buffer in held:
            buffer.release()
    return min(wanted, sum(buffer.size for buffer in held))


def _of_the_machine() -> int:
    """A software driver takes the machine's own memory, and learns too late that it is gone."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 62  # not known here
