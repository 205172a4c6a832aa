"""Memory of this process as a buffer of Dawn (its feature HostMappedPointer)."""

from __future__ import annotations

import mmap
import sys
from typing import Any

import wgpu

from .instance import Instance


def lend(owner: Instance, size: int) -> tuple[Any, int]:
    """New memory of at least `size` bytes, and how many it has: the struct that extends a buffer's descriptor. The
    memory is freed when Dawn says that the GPU has finished with it."""
    whole = -(-size // mmap.ALLOCATIONGRANULARITY) * mmap.ALLOCATIONGRANULARITY
    try:
        memory = mmap.mmap(-1, whole) if sys.platform == "win32" else mmap.mmap(-1, whole, mmap.MAP_PRIVATE)
    except OSError as e:
        raise wgpu.GPUOutOfMemoryError(f"host memory of {whole} bytes: {e}") from e
    kept = [owner.ffi.from_buffer(memory)]

    def disposed() -> None:  # it keeps the memory as long as it is waited for
        owner.forget(number)
        kept.clear()

    number = owner.wait_for(disposed)
    lent = owner.new(
        "BufferHostMappedPointer",
        chain={"next": owner.ffi.NULL, "sType": owner.lib.WGPUSType_BufferHostMappedPointer},
        pointer=kept[0],
        disposeCallback=owner.disposed,
        userdata=number,
    )
    return lent, whole
