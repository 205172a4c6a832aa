"""The properties of a GPU that kernels depend on."""

from __future__ import annotations

from dataclasses import dataclass

from .webgpu.interface import Matrix

MEASURED_CORES = 132  # number of the H200's multiprocessors: kernels' work sizes were measured there


@dataclass(frozen=True)
class Traits:
    """The GPU's properties that determine a kernel's variant; plain data, so tests can invent GPUs."""

    software: bool
    f16: bool
    subgroup_size: int  # 0: no subgroups
    workgroup_bytes: int
    max_invocations: int
    matrices: tuple[Matrix, ...] = ()  # sizes and types of the products that a subgroup computes at once
    cores: int = MEASURED_CORES  # multiprocessors; WebGPU does not report their number
    native_halves: bool = False  # read f16 weights as f16 instead of unpacking them, unless tuning chose otherwise

    @property
    def subgroups(self) -> bool:
        return self.subgroup_size > 0

    @property
    def half_matrices(self) -> tuple[Matrix, ...]:
        """Matrix products of f16 with f32 sums that kernels use; the largest first."""
        return tuple(sorted((m for m in self.matrices if m.usable), key=lambda m: -m.m * m.n * m.k))

    def filling(self, count: int) -> int:
        """The number of workgroups or lanes that keep this GPU as busy as `count` kept the GPU of the measurements."""
        return -(-count * self.cores // MEASURED_CORES)
