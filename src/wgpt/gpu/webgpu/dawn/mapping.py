"""Dawn's buffers mapped into the host's address space."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import wgpu
from numpy.typing import NDArray

from ..interrupts import raise_kept
from .instance import Instance
from .objects import Handle

_READ, _WRITE = 1, 2  # bits of the map mode


class Mapping:
    """A buffer being mapped for reading or writing."""

    def __init__(
        self, owner: Instance, raise_if_lost: Callable[[], None], memory: Handle, size: int, write: bool
    ) -> None:
        self._owner, self._raise_if_lost, self._memory, self._size = owner, raise_if_lost, memory, size
        self._status: int | None = None
        self._message = ""
        ended = weakref.ref(self)

        def on_mapped(status: int, message: Any) -> None:
            mapping = ended()
            if mapping is not None:
                mapping._note(status, owner.text(message))
            owner.forget(number)

        number = owner.wait_for(on_mapped)
        info = owner.callback("BufferMap", number)
        owner.lib.wgpuBufferMapAsync(memory._internal, _WRITE if write else _READ, 0, size, info[0])

    def _note(self, status: int, message: str) -> None:
        self._message, self._status = message, status

    def poll(self) -> bool:
        if self._status is None:
            self._owner.process_events()
            raise_kept()
        if self._status is not None and self._status != self._owner.lib.WGPUMapAsyncStatus_Success:
            self._raise_if_lost()
            raise wgpu.GPUInternalError(f"could not map a staging buffer: {self._message}")
        return self._status is not None

    def take(self, out: memoryview) -> None:
        source = self._mapped(self._owner.lib.wgpuBufferGetConstMappedRange)
        self._owner.ffi.memmove(out, source, out.nbytes)
        self._owner.lib.wgpuBufferUnmap(self._memory._internal)

    def put(self, parts: Sequence[tuple[int, NDArray[Any]]]) -> None:
        ffi = self._owner.ffi
        target = ffi.cast("char *", self._mapped(self._owner.lib.wgpuBufferGetMappedRange))
        for offset, data in parts:
            ffi.memmove(target + offset, ffi.from_buffer(data), data.nbytes)
        self._owner.lib.wgpuBufferUnmap(self._memory._internal)

    def _mapped(self, get: Callable[..., Any]) -> Any:
        """The mapped memory."""
        self._raise_if_lost()
        memory = get(self._memory._internal, 0, self._size)
        if memory == self._owner.ffi.NULL:
            raise wgpu.GPUInternalError("a staging buffer is not mapped")
        return memory
