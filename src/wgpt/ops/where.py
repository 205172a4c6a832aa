"""Where an operation runs: small work on the CPU, the rest on the GPU, or wherever `use()` says."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..gpu import FaultyDriverError, GpuDevice, NoAdapterError, default_device
from ..kernels import tuning

GPU_MIN_SIZE = 100_000  # elements; below, a transfer costs more than it saves (until `wgpt tune` measures)

_forced: ContextVar[GpuDevice | str | None] = ContextVar("wgpt_where", default=None)
_missing = False  # no GPU was found


def gpu_min_size() -> int:
    """WGPT_GPU_MIN_SIZE, else what `wgpt tune` measured on this adapter, else 100,000."""
    given = os.environ.get("WGPT_GPU_MIN_SIZE")
    if given is not None:
        if not given.strip().isdecimal():
            raise ValueError(f"WGPT_GPU_MIN_SIZE must be a number of elements, not {given!r}")
        return int(given)
    device = _found()
    return GPU_MIN_SIZE if device is None else int(tuning.table(device).get("gpu_min_size", GPU_MIN_SIZE))


def should_use_gpu(size: int) -> bool:
    """Whether work on `size` elements pays on the GPU: large enough, and there is one."""
    return size >= gpu_min_size() and _found() is not None


def _found() -> GpuDevice | None:
    """The process's device, or None where none computes rightly: looked for once, for a look takes a second."""
    global _missing
    if _missing:
        return None
    try:
        return default_device()
    except NoAdapterError:
        _missing = True
    except FaultyDriverError as e:
        _missing = True
        warnings.warn(f"operations run on the CPU: {e}", RuntimeWarning, stacklevel=2)
    return None


@contextmanager
def use(where: GpuDevice | str) -> Iterator[None]:
    """Run every operation in the block on one device, whatever its size: a GpuDevice, "gpu" or "cpu".

    >>> with wgpt.use("gpu"):                     # doctest: +SKIP
    ...     y = wgpt.ops.silu(x)
    """
    if not isinstance(where, GpuDevice) and where not in ("cpu", "gpu"):
        raise ValueError(f'use() takes a GpuDevice, "gpu" or "cpu", not {where!r}')
    token = _forced.set(where)
    try:
        yield
    finally:
        _forced.reset(token)


def device_for(size: int) -> GpuDevice | None:
    """The device that work on `size` elements goes to; None is the CPU."""
    forced = _forced.get()
    if isinstance(forced, GpuDevice):
        return forced
    if forced == "cpu":
        return None
    if forced == "gpu" or should_use_gpu(size):
        return default_device()
    return None
