"""Measures free GPU memory by allocating and freeing it, because WebGPU does not report it."""

from __future__ import annotations

import os
from pathlib import Path

from ..core.sizes import readable_bytes
from .core import Core
from .errors import AllocationError
from .webgpu.failures import translated
from .webgpu.interface import STORAGE, Memory

_LARGEST_TRIED, _LEAST_TRIED = 1 << 30, 16 << 20  # bytes per buffer


def room(device: Core, wanted: int) -> int:
    """How many of `wanted` bytes could be allocated now."""
    if device.memory_limit is not None:
        wanted = min(wanted, max(0, device.memory_limit - device.bytes_in_use))
    if device.software:
        wanted = min(wanted, _host_memory())
    step, allocated, handles = min(_LARGEST_TRIED, device.limits["max-buffer-size"] // 16 * 16), 0, list[Memory]()
    try:
        while allocated < wanted and step >= _LEAST_TRIED:
            size = min(step, -(-(wanted - allocated) // 16) * 16)
            try:
                with translated(f"trying to allocate {readable_bytes(size)}"):
                    handles.append(device.webgpu.create_buffer(size, STORAGE, ""))
                allocated += size
            except AllocationError:
                step //= 2
    finally:
        for handle in handles:
            handle.destroy()
    return min(allocated, wanted)


def _host_memory() -> int:
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
