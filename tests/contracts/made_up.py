"""Made-up GPUs for planning: traits and a tuning key, but no computation."""

from __future__ import annotations

from dataclasses import dataclass

from wgpt.gpu import GpuInfo, Traits

LAVAPIPE = Traits(software=True, f16=True, subgroup_size=8, workgroup_bytes=32768, max_invocations=1024)
NVIDIA = Traits(software=False, f16=True, subgroup_size=32, workgroup_bytes=49152, max_invocations=1024)
AMD = Traits(software=False, f16=True, subgroup_size=64, workgroup_bytes=32768, max_invocations=1024)
INTEL = Traits(software=False, f16=True, subgroup_size=16, workgroup_bytes=32768, max_invocations=1024)
PHONE = Traits(software=False, f16=True, subgroup_size=16, workgroup_bytes=16384, max_invocations=256)
BROWSER = Traits(software=False, f16=False, subgroup_size=0, workgroup_bytes=16384, max_invocations=256)
BARE = Traits(software=True, f16=False, subgroup_size=0, workgroup_bytes=16384, max_invocations=256)

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
