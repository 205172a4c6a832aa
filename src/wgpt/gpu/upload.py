"""Input contents for commands that are recorded in advance: mapped memory, filled without a call of the queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from .buffer import Tensor
from .core import Core
from .pool import BufferPool
from .readback import wait_until
from .webgpu.interface import UPLOAD, Copy

_ALIGN = 16
Arrays = Sequence[tuple[Tensor, NDArray[Any]]]  # bytes to write at the beginnings of tensors


class Upload:
    """A mapped buffer with room for the contents of these tensors."""

    def __init__(self, device: Core, pool: BufferPool, tensors: Sequence[Tensor]) -> None:
        self._device, size = device, 0
        self._offsets: dict[Tensor, int] = {}
        for tensor in tensors:
            self._offsets[tensor] = size
            size += -(-tensor.nbytes // _ALIGN) * _ALIGN
        self.buffer = pool.take(size, UPLOAD, "upload")
        self._ticket = device.webgpu.map(self.buffer.handle, size, write=True)

    def copies(self) -> list[Copy]:
        """The copies to the tensors, which the commands begin with."""
        return [
            Copy(self.buffer.handle, offset, tensor.buffer.handle, tensor.nbytes, tensor.offset)
            for tensor, offset in self._offsets.items()
        ]

    def __contains__(self, tensor: Tensor) -> bool:
        return tensor in self._offsets

    def is_whole(self, arrays: Arrays) -> bool:
        """Whether these are the contents of all its tensors."""
        whole = {tensor for tensor, data in arrays if data.nbytes == tensor.nbytes}
        return all(tensor in whole for tensor in self._offsets)

    def poll(self) -> bool:
        """Let the device make progress; returns whether the buffer is mapped."""
        return self._ticket.poll()

    def fill(self, arrays: Arrays) -> None:
        """Write the contents, before the commands are submitted."""
        wait_until(self._ticket.poll, self._device)
        self._ticket.put([(self._offsets[tensor], data) for tensor, data in arrays if tensor in self._offsets])
