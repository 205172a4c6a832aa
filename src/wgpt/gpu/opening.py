"""Opening a GPU: its device of wgpu-native, checked for faults, and what kernels need to know of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from . import faults
from .core import Core
from .errors import FaultyDriverError
from .traits import Traits
from .webgpu.interface import GpuInfo, WebGpu
from .webgpu.wgpu_native import WgpuNative

FAULTY_REMEDY = (
    "Install a newer driver (on Debian 12, Mesa from bookworm-backports), choose another "
    "GPU with WGPT_GPU, or set WGPT_ALLOW_FAULTY=1 to use it anyway"
)


@dataclass(frozen=True)
class Opened:
    """A GPU that was opened and probed."""

    info: GpuInfo
    webgpu: WebGpu
    traits: Traits
    faults: list[str]


def open_gpu(info: GpuInfo, gpu: Any, *, allow_faulty: bool = False) -> Opened:
    """Open a GPU, unless its driver computes wrong numbers."""
    core = Core(info, WgpuNative(info, gpu))
    wrong = faults.find_faults(core)
    if wrong and not (allow_faulty or os.environ.get("WGPT_ALLOW_FAULTY") == "1"):
        core.close()
        raise FaultyDriverError(f"{info} computes wrong numbers: {'; '.join(wrong)}. {FAULTY_REMEDY}")
    traits = Traits(
        software=info.software,
        f16="shader-f16" in core.features,
        subgroup_size=faults.subgroup_size(core),
        workgroup_bytes=core.limits["max-compute-workgroup-storage-size"],
        max_invocations=core.limits["max-compute-invocations-per-workgroup"],
    )
    return Opened(info, core.webgpu, traits, wrong)
