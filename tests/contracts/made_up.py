"""Made-up GPUs for planning: traits and a tuning key, but no computation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from wgpt.gpu import GpuInfo, Traits
from wgpt.gpu.webgpu.interface import Matrix

LAVAPIPE = Traits(software=True, f16=True, subgroup_size=8, workgroup_bytes=32768, max_invocations=1024)
NVIDIA = Traits(software=False, f16=True, subgroup_size=32, workgroup_bytes=49152, max_invocations=1024)
AMD = Traits(software=False, f16=True, subgroup_size=64, workgroup_bytes=32768, max_invocations=1024)
INTEL = Traits(software=False, f16=True, subgroup_size=16, workgroup_bytes=32768, max_invocations=1024)
PHONE = Traits(software=False, f16=True, subgroup_size=16, workgroup_bytes=16384, max_invocations=256)
BROWSER = Traits(software=False, f16=False, subgroup_size=0, workgroup_bytes=16384, max_invocations=256)
BARE = Traits(software=True, f16=False, subgroup_size=0, workgroup_bytes=16384, max_invocations=256)

# As Dawn reports them, with the products of their matrix units.
ADAPTERS_OF_DAWN = {
    "nvidia": replace(NVIDIA, matrices=tuple(Matrix("f16", "f32", 16, n, 16) for n in (16, 8))),
    "amd": replace(AMD, matrices=(Matrix("f16", "f16", 16, 16, 16), Matrix("f16", "f32", 16, 16, 16))),
    "intel": replace(INTEL, matrices=(Matrix("f16", "f32", 8, 16, 16),)),
    "apple": replace(NVIDIA, workgroup_bytes=32768, matrices=(Matrix("f16", "f32", 8, 8, 8),)),
    "new lavapipe": replace(LAVAPIPE, matrices=(Matrix("f16", "f32", 8, 8, 8),)),
}
ADAPTERS = {
    "lavapipe": LAVAPIPE,
    "nvidia": NVIDIA,
    "amd": AMD,
    "intel": INTEL,
    "phone": PHONE,
    "browser": BROWSER,
    "bare software": BARE,
}
_INFO = GpuInfo(0, "made up", "", "", "DiscreteGPU", "none")


@dataclass(frozen=True)
class MadeUpDevice:
    traits: Traits
    key: str = "made up"
    info: GpuInfo = _INFO

    @property
    def software(self) -> bool:
        return self.traits.software
