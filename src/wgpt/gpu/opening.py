"""Opens a GPU: creates its device, checks it for faults, and measures what kernels depend on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from . import faults
from .core import Core
from .errors import FaultyDriverError
from .implementations import open_webgpu, wish, without_dawn
from .traits import Traits
from .webgpu.interface import GpuInfo, WebGpu

FAULTY_REMEDY = (
    "Install a newer driver (on Debian 12, Mesa from bookworm-backports), choose another "
    "GPU with WGPT_GPU or another WebGPU with WGPT_WEBGPU, or set WGPT_ALLOW_FAULTY=1 to use it anyway"
)


@dataclass(frozen=True)
class Opened:
    """A GPU that was opened and probed."""

    info: GpuInfo
    webgpu: WebGpu
    webgpu_reason: str
    traits: Traits
    faults: list[str]


def open_gpu(info: GpuInfo, gpu: Any, *, webgpu: str | None = None, allow_faulty: bool = False) -> Opened:
    """Open a GPU, unless its driver computes wrong numbers."""
    wanted = wish(webgpu)
    chosen = open_webgpu(info, gpu, wanted)
    core = Core(info, chosen.webgpu)
    wrong = faults.find_faults(core)
    if wrong and wanted.name == "auto" and chosen.webgpu.name == "Dawn":
        core.close()
        chosen = without_dawn(info, gpu, f"Dawn computes wrong numbers on this GPU: {'; '.join(wrong)}")
        core = Core(info, chosen.webgpu)
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
        matrices=core.webgpu.matrices,
    )
    return Opened(info, core.webgpu, chosen.reason, traits, wrong)
