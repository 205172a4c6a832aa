"""How large the KV cache is: WebGPU does not tell how much memory is free."""

from __future__ import annotations

from typing import Any

from ..gpu import AllocationError, GpuDevice, readable_bytes
from ..gpu.arguments import whole_number
from ..gpu.bindings import most_bytes
from ..kernels.attention.attending import PAGE
from ..models.config import Config
from ..models.network import Network
from ..ops.cache import position_bytes
from .runner import Runner

_TOKENS, _SOFTWARE_TOKENS = 1 << 16, 1 << 13  # of all sequences together, if memory allows
_LEAST_PAGES = 2  # one is never used


def page_bytes(config: Config, cache: str) -> int:
    """Bytes of a page in all layers."""
    return 2 * config.layers * _layer_bytes(config, cache)


def _layer_bytes(config: Config, cache: str) -> int:
    return PAGE * position_bytes(cache, config.kv_heads, config.head_dim)


def usual_pages(config: Config, device: GpuDevice, capacity: int, cache: str) -> int:
    """Pages for a full context or many short ones, but at most half of the memory that is free."""
    tokens = max(capacity, _SOFTWARE_TOKENS if device.software else _TOKENS)
    each = page_bytes(config, cache)
    most = min(most_bytes(device) // _layer_bytes(config, cache), 1 + -(-tokens // PAGE))
    free = device.room(2 * most * each) // 2
    return max(_LEAST_PAGES, min(most, free // each))


def opened(network: Network, cache_bytes: int | None, *, capacity: int, cache: str, **settings: Any) -> Runner:
    """A runner with as large a cache as asked for, or as is sensible and fits."""
    config, device = network.config, network.device
    each = page_bytes(config, cache)
    if cache_bytes is not None:
        whole_number("cache_bytes", cache_bytes, least=_LEAST_PAGES * each)
        pages = min(cache_bytes // each, most_bytes(device) // _layer_bytes(config, cache))
        return _runner(network, pages, capacity=capacity, cache=cache, **settings)
    pages = usual_pages(config, device, capacity, cache)
    while True:
        try:
            return _runner(network, pages, capacity=capacity, cache=cache, **settings)
        except AllocationError:
            if pages == _LEAST_PAGES:
                raise
            pages = max(_LEAST_PAGES, pages // 2)


def _runner(network: Network, pages: int, **settings: Any) -> Runner:
    try:
        return Runner(network, pages=pages, **settings)
    except AllocationError as e:
        size = readable_bytes(pages * page_bytes(network.config, settings["cache"]))
        raise AllocationError(f"{e} (KV cache of {pages * PAGE} positions, {size}: use a smaller cache_bytes)") from e
