"""Numbers physical GPUs, each of which several backends may list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .webgpu.interface import GpuInfo

# The best backend first. OpenGL lacks features, lists fewer GPUs and often does not know a GPU's device id.
_BACKENDS = ("Vulkan", "Metal", "D3D12")


def numbered(views: Sequence[GpuInfo]) -> list[tuple[GpuInfo, bool]]:
    """The backends' entries with their GPU's number, and whether each is the best entry for its GPU.

    Equal GPUs are told apart by their order, which a driver keeps between starts.
    """
    modern = [view for view in views if view.backend in _BACKENDS]
    best = {id(view): view for view in modern if view.backend == _backend_of(view, modern)}
    for view in views:
        if view.backend not in _BACKENDS and not any(_same_maker(view, other) for other in modern):
            best[id(view)] = view  # only OpenGL lists this GPU
    numbers = {id(view): i for i, view in enumerate(view for view in views if id(view) in best)}
    return [(replace(view, index=numbers[id(_best_of(view, views, best))]), id(view) in best) for view in views]


def _hardware(view: GpuInfo) -> tuple[int, int, str]:
    """The hardware's ids, or its name if the driver reports none."""
    return view.vendor_id, view.device_id, "" if view.vendor_id else view.name


def _backend_of(view: GpuInfo, modern: Sequence[GpuInfo]) -> str:
    """The best backend for this kind of GPU: the one that lists most of them; of several, the first."""
    backends = [other.backend for other in modern if _hardware(other) == _hardware(view)]
    return max(_BACKENDS, key=lambda backend: (backends.count(backend), -_BACKENDS.index(backend)))


def _same_maker(view: GpuInfo, other: GpuInfo) -> bool:
    if not view.vendor_id:
        return view.name == other.name
    return view.vendor_id == other.vendor_id


def _best_of(view: GpuInfo, views: Sequence[GpuInfo], best: dict[int, GpuInfo]) -> GpuInfo:
    """The best entry for the same GPU."""
    if id(view) in best:
        return view
    twins = [other for other in best.values() if _hardware(other) == _hardware(view)]
    if not twins:
        twins = [other for other in best.values() if other.backend in _BACKENDS and _same_maker(view, other)]
    same = [other for other in views if other.backend == view.backend and _hardware(other) == _hardware(view)]
    place = next(i for i, other in enumerate(same) if other is view)
    return twins[min(place, len(twins) - 1)]
