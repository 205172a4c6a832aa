"""Several launches in one submit: `with batch(): ...`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wgpt.gpu import Buffer, GpuDevice, Tensor
from wgpt.gpu.deferred import current
from wgpt.gpu.webgpu.failures import translated
from wgpt.gpu.webgpu.interface import Step
from wgpt.ttir import Refused
from wgpt.ttir.launch import Prepared, Ready

from .host import HostMemory


@contextmanager
def batch() -> Iterator[None]:
    """Record the launches of a block and submit them together at its end; they run in order.

    >>> with wt.batch():                                             # doctest: +SKIP
    ...     scale[grid](x, y, n, BLOCK=256)
    ...     add[grid](y, z, z, n, BLOCK=256)                         # sees what scale wrote
    >>> z.numpy()

    Any other use of the GPU inside the block, such as `z.numpy()` or a Program, first submits the launches recorded so
    far. Host arrays (torch CPU tensors, `wrap`) are copied to the GPU when a launch first uses them, and back at the
    end of the block: until then their host values are the old ones, and changing them is an error.

    An exception in the block discards launches that are not submitted yet. A nested block adds to the outer one; it
    submits by itself only to copy host arrays back. Other threads and asyncio tasks are not affected.
    """
    outer = open_batch()
    target = outer or Batch()
    recorded_before = target.count
    token = current.set(target)
    try:
        yield
        if outer is None or target.writes_host_memory:
            target.flush()
    except BaseException:
        target.drop(recorded_before)
        raise
    finally:
        current.reset(token)
        target.closed = outer is None


def open_batch() -> Batch | None:
    """The batch that records launches of this thread or task, if there is one."""
    batch = current.get()
    return batch if isinstance(batch, Batch) and not batch.closed else None


@dataclass(frozen=True)
class _Launch:
    """One dispatch, and the objects that must be alive when it is submitted."""

    kernel: str
    step: Step
    buffers: Sequence[Buffer]
    host_outputs: Sequence[HostMemory]  # host memory that the kernel writes to
    report: Callable[[], None] | None  # called after the launch has run


@dataclass(frozen=True)
class _HostCopy:
    memory: HostMemory
    tensor: Tensor
    before: NDArray[np.uint8]


class Batch:
    """Launches on one device that are not submitted yet."""

    def __init__(self) -> None:
        self.device: GpuDevice | None = None
        self.closed = False
        self._launches: list[_Launch] = []
        self._submitted = 0
        self._scalars: dict[Prepared, dict[bytes, int]] = {}  # the number of each block of scalars, by its contents
        self._copies: dict[tuple[int, int], _HostCopy] = {}  # by the memory's key

    @property
    def count(self) -> int:
        """Number of launches so far, including submitted ones."""
        return self._submitted + len(self._launches)

    @property
    def writes_host_memory(self) -> bool:
        return any(launch.host_outputs for launch in self._launches)

    def add(
        self,
        ready: Ready,
        params: bytes,
        host_outputs: Sequence[HostMemory] = (),
        report: Callable[[], None] | None = None,
    ) -> None:
        prepared = ready.prepared
        with self._on(prepared.device).lock:
            numbers = self._scalars.setdefault(prepared, {})
            step, buffers = ready.step(numbers.setdefault(params, len(numbers)))
            self._launches.append(_Launch(prepared.shader.name, step, buffers, host_outputs, report))

    def copy_of(self, memory: HostMemory, device: GpuDevice) -> Tensor:
        """The GPU copy of host memory, shared by all launches of the batch."""
        with self._on(device).lock:
            key = memory.key
            if key not in self._copies:
                if any(copy.memory.overlaps(memory) for copy in self._copies.values()):
                    raise Refused("host arrays in one batch that overlap without being views of one array")
                self._copies[key] = _HostCopy(memory, memory.upload(device), memory.view().copy())
            return self._copies[key].tensor

    def flush(self) -> None:
        if self.device is None or not (self._launches or self._copies):
            return
        with self.device.lock:
            launches, copies, scalars = self._launches, self._copies, self._scalars
            # Cleared first: the download below settles the queue, which calls flush again.
            self._launches, self._copies, self._scalars = [], {}, {}
            self._submitted += len(launches)
            try:
                if launches:
                    _check_unchanged(copies.values())
                    _submit(self.device, launches, scalars)
                for key in {memory.key for launch in launches for memory in launch.host_outputs}:
                    copies[key].memory.download(self.device, copies[key].tensor)
            finally:
                _give_back(self.device, copies.values())
        for launch in launches:
            if launch.report is not None:
                launch.report()

    def drop(self, since: int) -> None:
        """Discard the launches after the first `since`, unless they are submitted."""
        del self._launches[max(0, since - self._submitted) :]
        if not self._launches and self.device is not None:
            _give_back(self.device, self._copies.values())
            self._copies, self._scalars = {}, {}

    def _on(self, device: GpuDevice) -> GpuDevice:
        if not (self._launches or self._copies):
            self.device = device
        if self.device is not device:
            raise Refused("launches on several devices in one batch")
        return device


def _submit(device: GpuDevice, launches: Sequence[_Launch], scalars: dict[Prepared, dict[bytes, int]]) -> None:
    with translated(f"launching {len(launches)} kernels"):
        device.check_alive()
        device.settle()
        for launch in launches:
            if any(buffer.released for buffer in launch.buffers):
                raise Refused("an argument's memory was released before the end of the batch", launch.kernel)
        for prepared, numbers in scalars.items():
            if prepared.blocks is not None:
                prepared.blocks.write(list(numbers))
        device.webgpu.submit(device.webgpu.ready([launch.step for launch in launches]))
        device.submits += 1


def _check_unchanged(copies: Iterable[_HostCopy]) -> None:
    for copy in copies:
        if not np.array_equal(copy.before, copy.memory.view()):
            raise Refused(
                f"a host array ({copy.memory.nbytes} bytes) was changed inside wgpt.triton.batch() after a launch had "
                "used it: change it before the block, or in a separate block; nothing was submitted"
            )


def _give_back(device: GpuDevice, copies: Iterable[_HostCopy]) -> None:
    for copy in copies:
        device.pool.give(copy.tensor.buffer)
