"""Where an operation runs: small work on the CPU, the rest on the GPU, unless `use()` decides."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..core.arguments import brief
from ..gpu import FaultyDriverError, GpuDevice, NoGpuError, default_device
from ..gpu.typed import typed
from ..kernels import tuning

GPU_MIN_SIZE = 100_000  # elements; for fewer, the transfer costs more than it saves (`wgpt tune` measures it)

_forced: ContextVar[GpuDevice | str | None] = ContextVar("wgpt_where", default=None)
_missing = False  # no GPU was found


def gpu_min_size() -> int:
    """WGPT_GPU_MIN_SIZE, else what `wgpt tune` measured on this GPU, else 100,000.

    >>> wgpt.gpu_min_size()
    100000
    """
    setting = os.environ.get("WGPT_GPU_MIN_SIZE")
    if setting is not None:
        if not setting.strip().isdecimal():
            raise ValueError(f"WGPT_GPU_MIN_SIZE must be a number of elements, not {setting!r}")
        return int(setting)
    device = _working_device()
    return GPU_MIN_SIZE if device is None else int(tuning.table(device).get("gpu_min_size", GPU_MIN_SIZE))


def gpu_available() -> bool:
    """Whether there is a GPU (or a software driver) that computes correctly.

    The GPU that WGPT_GPU names must exist: NoGpuError otherwise.

    >>> wgpt.gpu_available()
    True
    """
    return _working_device() is not None


@typed
def should_use_gpu(size: int) -> bool:
    """Whether work on `size` elements should run on the GPU: large enough, and there is one.

    The GPU that WGPT_GPU names must exist, whatever the size: NoGpuError otherwise.

    >>> wgpt.should_use_gpu(1000), wgpt.should_use_gpu(1_000_000)
    (False, True)
    """
    if _is_named():
        _working_device()
    return size >= gpu_min_size() and _working_device() is not None


def _is_named() -> bool:
    return bool(os.environ.get("WGPT_GPU"))


def _working_device() -> GpuDevice | None:
    """The process's device, or None if no GPU was named and none computes correctly.

    The search runs once, because it takes a second. A named GPU is never replaced by the CPU.
    """
    global _missing
    if _missing and not _is_named():
        return None
    try:
        return default_device()
    except (NoGpuError, FaultyDriverError) as e:
        if _is_named():
            raise
        _missing = True
        if isinstance(e, FaultyDriverError):
            warnings.warn(f"operations run on the CPU: {e}", RuntimeWarning, stacklevel=2)
    return None


@contextmanager
def use(where: GpuDevice | str) -> Iterator[None]:
    """Run every operation in the block on one device, whatever its size: a GpuDevice, "gpu" or "cpu".

    >>> with wgpt.use("gpu"):
    ...     wgpt.ops.scale(np.float32([1, 2]), 3.0)
    array([3., 6.], dtype=float32)
    """
    if not isinstance(where, GpuDevice) and not (isinstance(where, str) and where in ("cpu", "gpu")):
        raise ValueError(f'use() takes a GpuDevice, "gpu" or "cpu", not {brief(where)}')
    token = _forced.set(where)
    try:
        yield
    finally:
        _forced.reset(token)


def is_automatic() -> bool:
    """Whether size decides where work runs, not `use()`."""
    return _forced.get() is None


def device_for(size: int) -> GpuDevice | None:
    """The device for work on `size` elements; None is the CPU."""
    forced = _forced.get()
    if isinstance(forced, GpuDevice):
        return forced
    if forced == "cpu":
        return None
    if forced == "gpu" or should_use_gpu(size):
        return default_device()
    return None
