"""GpuDevice: one opened adapter, with its limits, features, memory count and caches."""

from __future__ import annotations

import functools
import os
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import dtypes, probe
from .adapters import AdapterInfo, choose_adapter
from .buffer import Buffer, Tensor
from .errors import DeviceLostError, FaultyDriverError, NoAdapterError, translated
from .pipeline import PipelineCache
from .pool import BufferPool
from .program import as_words
from .submitter import Submitter

WANTED_FEATURES = ("shader-f16", "subgroup", "timestamp-query", "timestamp-query-inside-passes", "immediates")

FAULTY_REMEDY = (
    "Install a newer driver (on Debian 12 Mesa from bookworm-backports: `make setup` does it), choose another "
    "adapter with WGPT_ADAPTER, or set WGPT_ALLOW_FAULTY=1 to use it all the same"
)


@dataclass(frozen=True)
class Traits:
    """What a kernel needs to know to choose its variant; plain data, so it can be made up in tests."""

    software: bool
    f16: bool
    subgroup_size: int  # 0: no subgroups
    workgroup_bytes: int
    max_invocations: int

    @property
    def subgroups(self) -> bool:
        return self.subgroup_size > 0


class GpuDevice:
    """An opened GPU.

    >>> device = GpuDevice.open()            # best adapter, or WGPT_ADAPTER    # doctest: +SKIP
    >>> device = GpuDevice.open("nvidia")    # by part of its name              # doctest: +SKIP
    """

    timeout = 60.0  # seconds that any wait may take

    def __init__(self, info: AdapterInfo, adapter: Any, reason: str, *, allow_faulty: bool = False) -> None:
        self.info, self.reason = info, reason
        if info.software:
            self.timeout *= 10  # the first run of a shader compiles it, on a CPU that others may need
        wanted = [f for f in WANTED_FEATURES if f in adapter.features]
        try:
            self.wgpu_device = adapter.request_device_sync(required_features=wanted)
        except RuntimeError as e:
            raise NoAdapterError(f"{info} could not be opened: {e}") from e
        self.features = frozenset(wanted)
        self.limits: dict[str, int] = dict(self.wgpu_device.limits)
        self._start_empty()
        self.pipelines = PipelineCache(self)
        self.faults = probe.find_faults(self)
        if self.faults and not (allow_faulty or os.environ.get("WGPT_ALLOW_FAULTY") == "1"):
            self.close()
            raise FaultyDriverError(f"{info} computes wrong numbers: {'; '.join(self.faults)}. {FAULTY_REMEDY}")
        self.subgroup_size = probe.subgroup_size(self)

    def _start_empty(self) -> None:
        """Locks, counts and an empty pool, as every device has them."""
        self.lock = threading.RLock()
        self.submitter = Submitter()
        self._counting = threading.RLock()  # any thread may drop a buffer
        self.bytes_in_use = self.buffers_in_use = self.peak_bytes = 0
        self.uploaded_bytes = self.submits = self.releases = 0
        self._closed = False
        self.pool = BufferPool(self)

    @classmethod
    def open(cls, adapter: int | str | None = None, *, allow_faulty: bool = False) -> GpuDevice:
        """Open the best adapter, or one by index or by part of its name (WGPT_ADAPTER does the same)."""
        return cls(*choose_adapter(adapter), allow_faulty=allow_faulty)

    @property
    def software(self) -> bool:
        return self.info.software

    @functools.cached_property
    def traits(self) -> Traits:
        return Traits(
            software=self.software,
            f16="shader-f16" in self.features,
            subgroup_size=self.subgroup_size,
            workgroup_bytes=self.limits["max-compute-workgroup-storage-size"],
            max_invocations=self.limits["max-compute-invocations-per-workgroup"],
        )

    @functools.cached_property
    def key(self) -> str:
        """Names adapter and driver: what a tuning result belongs to."""
        return f"{self.info.name} | {self.info.driver} | {self.info.backend}"

    def buffer(self, size: int, label: str = "") -> Buffer:
        """Memory that stays until it is released (weights, caches)."""
        with self.lock:
            self.check_alive()
            return Buffer(self, size, label=label)

    def tensor(self, array: NDArray[Any], dtype: str | None = None, label: str = "") -> Tensor:
        """Upload an array to memory of its own."""
        buffer = self.buffer(array.nbytes, label)
        tensor = Tensor(buffer, array.shape, dtype or dtypes.dtype_of(array))
        self.write(tensor, array)
        return tensor

    def empty(self, shape: tuple[int, ...], dtype: str = "f32", label: str = "") -> Tensor:
        """Uninitialised memory of its own."""
        return Tensor(self.buffer(int(np.prod(shape)) * dtypes.itemsize(dtype), label), shape, dtype)

    def write(self, tensor: Tensor, array: NDArray[Any]) -> None:
        """Copy host data into a tensor; takes effect before the next submit."""
        if array.size != tensor.size or array.dtype != dtypes.NUMPY[tensor.dtype]:
            raise ValueError(f"cannot write {array.shape} {array.dtype} into {tensor}")
        if array.size == 0:
            return
        raw = as_words(array)
        with self.lock, translated(f"uploading {raw.nbytes} bytes"):
            self.check_alive()
            self.settle()
            self.wgpu_device.queue.write_buffer(tensor.buffer.handle, tensor.offset, raw)
        self.uploaded_bytes += raw.nbytes

    def read(self, tensor: Tensor) -> NDArray[Any]:
        """Copy a tensor to the host; waits for the work before it."""
        from .recorder import Recorder

        with Recorder(self).finish(out=tensor) as program:
            return program.read()["out"]

    def settle(self) -> None:
        """Wait until every replay so far is submitted, and raise what went wrong with one whose result nobody awaits.

        Whoever uses WebGPU's queue directly calls this first.
        """
        self.submitter.settle()
        self.submitter.check()

    def check_alive(self) -> None:
        if self._closed:
            raise DeviceLostError(f"{self.info.name} was closed; open it again with GpuDevice.open()")

    def _count(self, nbytes: int, buffers: int) -> None:
        with self._counting:
            self.bytes_in_use += nbytes
            self.buffers_in_use += buffers
            self.releases += buffers < 0
            self.peak_bytes = max(self.peak_bytes, self.bytes_in_use)

    def close(self) -> None:
        """Free everything. Tensors and Programs of this device are unusable afterwards."""
        if not self._closed:
            self.submitter.settle()
            self.pool.trim()
            self._closed = True
            self.submitter.close()
            self.wgpu_device.destroy()

    def __repr__(self) -> str:
        return f"GpuDevice({self.info.name!r})"


_default: GpuDevice | None = None
_default_lock = threading.Lock()


def default_device() -> GpuDevice:
    """The process's device, opened on first use."""
    global _default
    with _default_lock:
        if _default is None or _default._closed:
            _default = GpuDevice.open()
        return _default
