"""One number for every physical GPU, though several backends may each list it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .webgpu.interface import GpuInfo

# The best view of a GPU first. OpenGL lacks features, lists fewer GPUs and often does not know a GPU's device id.
_BACKENDS = ("Vulkan", "Metal", "D3D12")


def numbered(views: Sequence[GpuInfo]) -> list[tuple[GpuInfo, bool]]:
    """The views with the numbers of their GPUs, and whether each is its GPU's best view.

    Equal GPUs are told apart by their order, which a driver keeps from one start to the next."""
    modern = [view for view in views if view.backend in _BACKENDS]
    best = {id(view): view for view in modern if view.backend == _backend_of(view, modern)}
    for view in views:
        if view.backend not in _BACKENDS and not any(_same_maker(view, other) for other in modern):
            best[id(view)] = view  # OpenGL alone knows it
    numbers = {id(view): i for i, view in enumerate(view for view in views if id(view) in best)}
    return [(replace(view, index=numbers[id(_best_of(view, views, best))]), id(view) in best) for view in views]


def _hardware(view: GpuInfo) -> tuple[int, int, str]:
    """The ids of the hardware; its name where the driver has none."""
    return view.vendor_id, view.device_id, "" if view.vendor_id else view.name


def _backend_of(view: GpuInfo, modern: Sequence[GpuInfo]) -> str:
    """The backend that shows this kind of GPU best: of those that list most of them, the first."""
    backends = [other.backend for other in modern if _hardware(other) == _hardware(view)]
    return max(_BACKENDS, key=lambda backend: (backends.count(backend), -_BACKENDS.index(backend)))


def _same_maker(view: GpuInfo, other: GpuInfo) -> bool:
    if not view.vendor_id:
        return view.name == other.name
    return view.vendor_id == other.vendor_id


def _best_of(view: GpuInfo, views: Sequence[GpuInfo], best: dict[int, GpuInfo]) -> GpuInfo:
    """The best view of the same GPU."""
    if id(view) in best:
        return view
    twins = [other for other in best.values() if _hardware(other) == _hardware(view)]
    if not twins:
        twins = [other for other in best.values() if other.backend in _BACKENDS and _same_maker(view, other)]
    same = [other for other in views if other.backend == view.backend and _hardware(other) == _hardware(view)]
    place = next(i for i, other in enumerate(same) if other is view)
    return twins[min(place, len(twins) - 1)]
