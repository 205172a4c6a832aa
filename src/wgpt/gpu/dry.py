"""A device that is not there: Programs are recorded for it and their memory is counted, and nothing is computed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .adapters import AdapterInfo
from .device import GpuDevice, Traits
from .pipeline import PipelineCache, ShaderCode

_TRAITS = Traits(software=False, f16=True, subgroup_size=32, workgroup_bytes=32 << 10, max_invocations=256)
_LIMITS = {
    "max-buffer-size": 1 << 40,
    "max-storage-buffer-binding-size": (2 << 30) - 4,
    "max-compute-workgroups-per-dimension": 65535,
    "min-storage-buffer-offset-alignment": 256,
    "min-uniform-buffer-offset-alignment": 256,
}


class DryDevice(GpuDevice):
    """With the traits and limits of `like`, or of a common GPU. `bytes_in_use` is what a real one would hold."""

    def __init__(self, like: GpuDevice | None = None) -> None:
        # Not GpuDevice's own, which opens an adapter.
        self.info = like.info if like else AdapterInfo(-1, "no adapter", "", "", "DiscreteGPU", "none")
        self.reason, self.features = "nothing is computed", frozenset[str]()
        self.limits = dict(like.limits if like else _LIMITS)
        self.traits = like.traits if like else _TRAITS
        self.subgroup_size, self.faults = self.traits.subgroup_size, []
        self.wgpu_device: Any = _Nothing()
        self._start_empty()
        self.pipelines = _NoPipelines(self)


class _Nothing:
    """Whatever wgpu would have made: it takes every call, and answers with itself."""

    _internal = 0

    def __getattr__(self, name: str) -> _Nothing:
        return self

    def __call__(self, *given: Any, **named: Any) -> _Nothing:
        return self


class _NoPipelines(PipelineCache):
    """Nothing is compiled."""

    def layout(self, access: tuple[str, ...]) -> tuple[Any, Any]:
        return _Nothing(), _Nothing()

    def get(self, code: ShaderCode) -> Any:
        return _Nothing()

    def compile_ahead(self, codes: Iterable[ShaderCode]) -> None:
        pass
