"""Uniform memory for the scalars of several launches of one kernel in one submit."""

from __future__ import annotations

from collections.abc import Sequence

from ..gpu import GpuDevice
from ..gpu.bindings import Window
from ..gpu.buffer import Buffer
from ..gpu.webgpu.interface import UNIFORM

_BLOCKS = 64  # per buffer


class ScalarBlocks:
    """Numbered blocks of `size` bytes. They are written together, before the submit of the launches that read them."""

    def __init__(self, device: GpuDevice, size: int) -> None:
        self._device, self._size = device, size
        align = device.limits["min-uniform-buffer-offset-alignment"]
        self._stride = -(-size // align) * align
        self._buffers: list[Buffer] = []
        self._contents: list[bytes] = []

    def window(self, number: int) -> Window:
        """The location of a block."""
        at, place = divmod(number, _BLOCKS)
        while len(self._buffers) <= at:
            self._buffers.append(Buffer(self._device, _BLOCKS * self._stride, UNIFORM, "params of a batch"))
            self._contents.append(b"")
        return self._buffers[at], place * self._stride, self._size

    def write(self, blocks: Sequence[bytes]) -> None:
        """Write blocks from number 0 on for the next submit. Unchanged blocks are not written again."""
        for at, buffer in enumerate(self._buffers):
            part = blocks[at * _BLOCKS : (at + 1) * _BLOCKS]
            contents = b"".join(block.ljust(self._stride, b"\0") for block in part)
            if not self._contents[at].startswith(contents):
                self._device.webgpu.write_buffer(buffer.handle, 0, contents)
                self._contents[at] = contents + self._contents[at][len(contents) :]
