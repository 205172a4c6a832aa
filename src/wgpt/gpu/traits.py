"""The properties of a GPU that kernels depend on."""

from __future__ import annotations

from dataclasses import dataclass

from .webgpu.interface import Matrix

MEASURED_CORES = 132  # of the H200 on which kernels found out how much work fills a GPU


@dataclass(frozen=True)
class Traits:
    """What a kernel needs to know to choose its variant; plain data, so it can be made up in tests."""

    software: bool
    f16: bool
    subgroup_size: int  # 0: no subgroups
    workgroup_bytes: int
    max_invocations: int
    matrices: tuple[Matrix, ...] = ()  # products that a subgroup computes at once
    cores: int = MEASURED_CORES  # that run workgroups side by side; WebGPU does not tell their number
    native_halves: bool = False  # f16 weights are read as f16 rather than unpacked, unless tuning chose otherwise

    @property
    def subgroups(self) -> bool:
        return self.subgroup_size > 0

    @property
    def half_matrices(self) -> tuple[Matrix, ...]:
        """Products of f16 that are added up in f32; the largest first."""
        fitting = [m for m in self.matrices if (m.inputs, m.result) == ("f16", "f32")]
        return tuple(sorted(fitting, key=lambda m: -m.m * m.n * m.k))

    def filling(self, count: int) -> int:
        """How many workgroups or lanes keep this GPU as busy as `count` kept the one that was measured."""
        return -(-count * self.cores // MEASURED_CORES)
