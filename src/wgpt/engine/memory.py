"""How large the KV cache is: WebGPU does not tell how much memory is free."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

from ..core.arguments import whole_number
from ..core.sizes import PAGE, readable_bytes
from ..gpu import AllocationError, GpuDevice
from ..gpu.bindings import most_bytes
from ..models.config import Config
from ..models.network import AnyNetwork
from ..ops.cache import key_bytes, position_bytes, state_bytes
from .draft import DraftModel
from .runner import Runner
from .runner_protocol import RunnerProtocol
from .split_runner import SplitRunner

_TOKENS, _SOFTWARE_TOKENS = 1 << 16, 1 << 13  # of all sequences together, if memory allows
_UNUSED_PAGES = 1
_LEAST_PAGES = _UNUSED_PAGES + 1
_MOST_SEQUENCES = 1 << 16


def page_bytes(config: Config, cache: str) -> int:
    """Bytes of a page in all layers."""
    return PAGE * position_bytes(cache, config.cache_layers)


def _key_bytes(config: Config, cache: str) -> int:
    """Bytes of a page's keys in the layer that has most of them."""
    return PAGE * max(key_bytes(cache, layer) for layer in config.cache_layers)


def _kinds(network: AnyNetwork, cache: str, draft: DraftModel | None) -> list[tuple[Config, str]]:
    """The models whose keys are in a page, each with the type of its cache."""
    own = (network.config, cache)
    return [own] if draft is None else [own, (draft.network.config, draft.cache_type(cache))]


def most_states(config: Config, device: GpuDevice) -> int:
    """Sequences whose states fit: those of a layer into a binding, and all of them into a quarter of the memory."""
    each = state_bytes(config.states)
    if not each:
        return _MOST_SEQUENCES
    free = device.room(4 * _MOST_SEQUENCES * each) // 4
    return max(1, min(_most_in_binding(config, device), free // each, _MOST_SEQUENCES))


def _most_in_binding(config: Config, device: GpuDevice) -> int:
    """Sequences whose states of any layer fit into a binding."""
    return most_bytes(device) // max(4 * math.prod(shape) for layer in config.states for shape in layer)


def snapshot_places(config: Config, device: GpuDevice, slots: int) -> int:
    """Places for states of layers that are kept for prompts that begin the same way: two for each sequence that runs,
    if they fit into a sixteenth of the memory, and those of a layer into a binding."""
    each = state_bytes(config.states)
    if not each:
        return 0
    most = min(2 * slots, _most_in_binding(config, device))
    return max(0, min(most, device.room(16 * most * each) // 16 // each))


def usual_pages(
    kinds: list[tuple[Config, str]], device: GpuDevice, capacity: int, sequences: int, share: float = 1.0
) -> int:
    """Pages for one context, or, if several sequences run at once, for a full context or many short ones; but at most
    half of the memory that is free. `share`: of the layers, those on this device."""
    tokens = capacity
    if sequences > 1:
        tokens = max(capacity, _SOFTWARE_TOKENS if device.software else _TOKENS)
    each = round(share * sum(page_bytes(*kind) for kind in kinds))
    most = min(_most_pages(kinds, device), _UNUSED_PAGES - (-tokens // PAGE))
    free = device.room(2 * most * each) // 2
    return max(_LEAST_PAGES, min(most, free // each))


def _most_pages(kinds: list[tuple[Config, str]], device: GpuDevice) -> int:
    """Those of a layer must fit into a binding."""
    return min(most_bytes(device) // _key_bytes(*kind) for kind in kinds)


def opened(
    network: AnyNetwork,
    cache_bytes: int | None,
    *,
    capacity: int,
    slots: int,
    cache: str,
    draft: DraftModel | None = None,
    **settings: Any,
) -> RunnerProtocol[Any]:
    """A runner with as large a cache as asked for, or as is sensible and fits; with those of a draft model.

    `slots`: sequences that run at once, each of up to `capacity` tokens.

    Of a model that is split over several GPUs, each has the same pages of its layers: the fullest one decides.
    """
    kinds = _kinds(network, cache, draft)
    each = sum(page_bytes(*kind) for kind in kinds)
    settings |= {"capacity": capacity, "slots": slots, "cache": cache, "draft": draft}
    if cache_bytes is not None:
        whole_number("cache_bytes", cache_bytes, least=_LEAST_PAGES * each)
        most = min(_most_pages(kinds, device) for device in network.devices)
        return _runner(network, min(cache_bytes // each, most), each, **settings)
    shares = [(stage.device, len(stage.layers) / network.config.layers) for stage in network.parts]
    pages = min(usual_pages(kinds, device, capacity, slots, share) for device, share in shares)
    while True:
        try:
            return _runner(network, pages, each, **settings)
        except AllocationError:
            if pages == _LEAST_PAGES:
                raise
            pages = max(_LEAST_PAGES, pages // 2)


def _runner(network: AnyNetwork, pages: int, each: int, **settings: Any) -> RunnerProtocol[Any]:
    try:
        if len(network.parts) > 1:
            return SplitRunner(network, pages=pages, **settings)
        places = 0
        if not settings.get("deterministic"):
            places = snapshot_places(network.config, network.device, settings["slots"])
        if places:
            with suppress(AllocationError):  # rather without them than not at all
                return Runner(*network.parts, pages=pages, snapshots=places, **settings)
        return Runner(*network.parts, pages=pages, **settings)
    except AllocationError as e:
        size = readable_bytes(pages * each)
        raise AllocationError(f"{e} (KV cache of {pages * PAGE} positions, {size}: use a smaller cache_bytes)") from e
