"""How many rows run at once, and how much memory they take."""

from __future__ import annotations

from ..gpu import GpuDevice
from ..gpu.bindings import most_bytes
from ..models.config import Config
from ..ops.cache import position_bytes, state_bytes
from .batch import TILE

_CHUNK, _SOFTWARE_CHUNK = 512, 128  # rows of a prefill step; fewer on software drivers, so that Ctrl-C acts sooner
_MOST_CHUNK = 2048
_WIDEST_BYTES = 256 << 20  # limit of a chunk's widest intermediate result when as many rows as possible run at once
_MOST_ROWS = 1 << 13
_LAYER_FLOPS = 10**12  # limit for one layer of a chunk: about a second on a small GPU
_USUAL_CAPACITY = 4096  # positions to reserve memory for when the model does not fit


def most_rows(config: Config, device: GpuDevice) -> int:
    """The most rows of a chunk whose intermediate results fit into a binding and use moderate memory, and whose layers
    finish before the driver assumes that the GPU hangs."""
    layers = [config.layer(i) for i in range(config.layers)]
    widest = 4 * max(2 * max(c.ffn for c in layers), max(c.q_rows + 2 * c.kv_rows for c in layers), config.hidden)
    widest = max(widest, 4 * config.layers * config.per_layer_input)
    limit = min(_WIDEST_BYTES, most_bytes(device))
    weights = config.hidden * max(2 * c.q_rows + 2 * c.kv_rows + 3 * c.ffn for c in layers)  # of a layer
    rows = min(_MOST_ROWS, limit // widest, max(_CHUNK, _LAYER_FLOPS // (2 * weights)))
    return max(TILE, rows // TILE * TILE)


def engine_chunk(config: Config, device: GpuDevice) -> int:
    """Most rows of a chunk while nobody waits for it: more rows fill a large GPU better."""
    return usual_chunk(device) if device.software else min(_MOST_CHUNK, most_rows(config, device))


def chunk_of_uploads(config: Config, device: GpuDevice, least: int) -> int:
    """Rows of a chunk that uploads weights, as every chunk of such a model does: as many as memory allows."""
    row = row_bytes(config)
    return max(least, device.room(most_rows(config, device) * row) // row // TILE * TILE)


def usual_chunk(device: GpuDevice) -> int:
    return _SOFTWARE_CHUNK if device.software else _CHUNK


def row_bytes(config: Config) -> int:
    """Approximate bytes of intermediate results for a row of a chunk."""
    widest = max(c.q_rows + 2 * c.kv_rows + 3 * c.ffn for c in map(config.layer, range(config.layers)))
    return 4 * (4 * config.hidden + widest + 3 * config.layers * config.per_layer_input)


def session_bytes(config: Config, device: GpuDevice, context: int | None = None, cache: str = "f16") -> int:
    """Approximate bytes of a sequence of usual length, without the weights: KV cache, intermediate results, logits."""
    capacity = min(context or config.context, _USUAL_CAPACITY)
    cache_bytes = capacity * position_bytes(cache, config.cache_layers) + state_bytes(config.states)
    return cache_bytes + row_bytes(config) * min(capacity, usual_chunk(device)) + 8 * config.vocab
