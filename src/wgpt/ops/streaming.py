"""Streamed blocks: their weights stay in host memory and are copied to two alternating buffers of the GPU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from ..core.sizes import readable_bytes
from ..gpu import AllocationError, Buffer, GpuDevice, Recorder, Tensor
from .resident import Arena

SLOTS = 2  # one block computes while the next is copied, if the driver supports it


class Upload(NamedTuple):
    """A block's weights in host memory, and where its kernels expect them."""

    source: Tensor
    target: Tensor


class StreamingArena(Arena):
    """`blocks` are the streamed blocks and their bytes. All other tensors are resident."""

    def __init__(self, device: GpuDevice, blocks: Mapping[int, int]) -> None:
        super().__init__(device)
        self._left = -sum(blocks.values())  # `expect` includes them
        self._blocks = dict(blocks)
        self.uploads: dict[int, Upload] = {}
        self._slots: list[Buffer] = []
        self._hosts: list[Buffer] = []
        self._filling: tuple[Buffer, Buffer] | None = None  # (slot, host memory) of the current block
        largest, limit = max(blocks.values(), default=0), device.limits["max-buffer-size"]
        if largest > limit:
            raise AllocationError(
                f"a layer of {readable_bytes(largest)} cannot be streamed: {device.info.name} has buffers of at most "
                f"{readable_bytes(limit)} (convert the weights to a smaller type, such as q4_1)"
            )
        try:
            self._slots = [device.buffer(largest, "streamed layers") for _ in range(min(SLOTS, len(blocks)))]
        except BaseException:
            self.release()
            raise

    @property
    def nbytes(self) -> int:
        return super().nbytes + sum(slot.size for slot in self._slots)

    @contextmanager
    def block(self, i: int) -> Iterator[None]:
        if i not in self._blocks:
            yield
            return
        slot = self._slots[len(self.uploads) % len(self._slots)]
        host = self.device.host_buffer(self._blocks[i], f"layer {i}")
        self._hosts.append(host)
        self._filling, self._filled = (slot, host), 0
        try:
            yield
        finally:
            self._filling = None
        words = (self._filled // 4,)
        self.uploads[i] = Upload(Tensor(host, words, "u32"), Tensor(slot, words, "u32"))

    def tensor(self, shape: tuple[int, ...], dtype: str, label: str) -> Tensor:
        if self._filling is None:
            return super().tensor(shape, dtype, label)
        tensor = Tensor(self._filling[0], shape, dtype, self._filled)
        self._filled += self.aligned(tensor.nbytes)
        if self._filled > self._filling[1].size:
            raise AllocationError(f"{label} exceeds the {self._filling[1].size} bytes planned for its layer")
        return tensor

    def home(self, tensor: Tensor) -> Tensor:
        if self._filling is None or tensor.buffer is not self._filling[0]:
            return tensor
        return Tensor(self._filling[1], tensor.shape, tensor.dtype, tensor.offset)

    def release(self) -> None:
        super().release()
        for buffer in (*self._slots, *self._hosts):
            buffer.release()
        self._slots, self._hosts, self.uploads = [], [], {}


def bring(recorder: Recorder, uploads: Mapping[int, Upload], i: int) -> None:
    """Record the uploads before block i: that of the next streamed block, which may overlap with block i, and for the
    first streamed block also its own."""
    if i not in uploads:
        return
    order = list(uploads)
    at = order.index(i)
    for block in order[0 if at == 0 else at + 1 : at + 2]:
        recorder.copy(*uploads[block])
