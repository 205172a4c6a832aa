"""Triton's driver interface. It is active if no other driver is, or on request."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

NAME = "wgpt"
_NOMINAL_REGISTERS = 32  # used to compute occupancy; WebGPU does not report the real number


def _others_active() -> bool:
    """Whether another backend, such as CUDA or ROCm, is active on this machine."""
    from triton.backends import backends

    active = False
    for name, backend in backends.items():
        if name == NAME:
            continue
        try:
            active = active or bool(backend.driver.is_active())
        except Exception:  # a backend that fails here is not active
            continue
    return active


class _Utils:
    """The utilities that Triton requires of a driver."""

    def get_device_properties(self, device: int) -> dict[str, int]:
        from wgpt.gpu import default_device

        gpu = default_device()
        return {
            "max_shared_mem": gpu.traits.workgroup_bytes,
            "multiprocessor_count": 1 if gpu.software else 64,
            "max_num_regs": 65536,
            "warpSize": 32,
            "sm_clock_rate": 1_000_000,
            "mem_clock_rate": 1_000_000,
            "mem_bus_width": 256,
        }

    def load_binary(self, name: str, binary: bytes, shared: int, device: int) -> tuple[Any, Any, int, int, int]:
        from .compiled import Compiled

        compiled = Compiled.from_bytes(binary)
        return compiled, compiled, _NOMINAL_REGISTERS, 0, 1 << 20

    def unload_module(self, module: Any) -> None:
        pass


class WebGPUDriver(DriverBase):
    def __init__(self) -> None:
        from .launcher import Launcher

        self.utils = _Utils()
        self.launcher_cls = Launcher
        self._target: GPUTarget | None = None

    @classmethod
    def is_active(cls) -> bool:
        if os.environ.get("TRITON_DEFAULT_BACKEND") == NAME or "wgpt.triton" in sys.modules:
            return True
        return not _others_active()

    def map_python_to_cpp_type(self, ty: str) -> str:
        return ty

    def get_current_target(self) -> GPUTarget:
        if self._target is None:
            from wgpt.gpu import default_device

            from .compiled import Settings

            self._target = GPUTarget("webgpu", Settings.arch(default_device()), 32)
        return self._target

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, device: int | None = None) -> int:
        return 0

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        import torch

        return torch.cpu

    def get_empty_cache_for_benchmark(self) -> Any:
        return None

    def clear_cache(self, cache: Any) -> None:
        pass

    def get_benchmarker(self) -> Callable[..., Any]:
        return benchmark


def benchmark(
    kernel_call: Callable[[], Any], *, quantiles: Sequence[float] | None = None, warmup: int = 1, rep: int = 5, **_: Any
) -> Any:
    """Wall time in ms of launches, including the wait for their end; autotune compares these."""
    import numpy as np

    from .launcher import synchronize

    times = []
    for i in range(1 + 5):
        began = time.perf_counter()
        kernel_call()
        synchronize()
        if i:
            times.append(1e3 * (time.perf_counter() - began))
    if quantiles is None:
        return float(np.median(times))
    return [float(np.quantile(times, q)) for q in quantiles]
