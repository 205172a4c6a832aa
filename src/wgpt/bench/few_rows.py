"""Which kernels are fastest for a few rows of each weight type, in a whole step: for `wgpt tune`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from ..engine.fixed_batch import FixedBatch
from ..gpu import GpuDevice
from ..gpu.profile import time_program
from ..kernels import weighted
from ..models.config import Config
from ..models.network import Network
from ..models.presets import PRESETS
from ..ops.backend import has_matrices, in_integers
from ..ops.by_rows import Limits, forced
from ..quant.weights import weight_type

TYPES = (weighted.GROUPS, weighted.TWO_SCALES, weighted.BYTES, weighted.NIBBLES, weighted.SMALL_FLOATS, "f16")
_MODEL = replace(PRESETS["qwen3-4b"], layers=4, vocab=4096)  # enough that no cache holds a step's weights
_ROWS = (2, 3, 4, 6, 8, 12, 16)
_CONTEXT = 64
NEVER = 1 << 20  # rows
# One by one; on matrix units, or without those in integers of many rows; and together, in floats
_WAYS = {"alone": Limits(NEVER, NEVER), "many": Limits(0, 2), "together": Limits(0, NEVER)}

Times = dict[str, dict[int, float]]  # seconds of a step, by way and rows


def measure(device: GpuDevice, weight: str, config: Config = _MODEL) -> Times:
    """Time a step of each number of rows in each way that the GPU has for the type."""
    whole, units = in_integers(device) and weight_type(weight).whole_codes, has_matrices(device)
    ways = ["together", *(["alone"] if whole else []), *(["many"] if whole or units else [])]
    network = Network.random(device, config, weight, table="f16")
    try:
        return {way: {m: _step(network, m, _WAYS[way]) for m in _ROWS} for way in ways}
    finally:
        network.release()


def _step(network: Network, rows: int, limits: Limits) -> float:
    with forced(limits), FixedBatch(network, 2 * _CONTEXT, rows, "f16", precision="fast") as batch:
        return time_program(batch.step_program(_CONTEXT))


def limits(times: Mapping[str, Mapping[int, float]]) -> Limits:
    """The limits by which each number of rows goes the fastest way, as far as two numbers can say it."""
    together, none = times["together"], dict[int, float]()
    many = next((m for m in _ROWS if all(_faster(times.get("many", none), together, n) for n in _ROWS if n >= m)), None)
    others = {m: times["many"][m] if many is not None and m >= many else together[m] for m in _ROWS}
    alone = times.get("alone", none)
    first = next((i for i, m in enumerate(_ROWS) if not _faster(alone, others, m)), len(_ROWS))
    return Limits(_crossing(alone, others, first), NEVER if many is None else many)


def _faster(these: Mapping[int, float], those: Mapping[int, float], m: int) -> bool:
    return these.get(m, math.inf) <= those[m]


def _crossing(alone: Mapping[int, float], others: Mapping[int, float], first: int) -> int:
    """The largest number of rows before the first measured one (by index) for which single rows are slower."""
    if first in (0, len(_ROWS)):
        return _ROWS[-1] if first else 1
    below, above = _ROWS[first - 1], _ROWS[first]
    gain, loss = others[below] - alone[below], alone[above] - others[above]
    return min(above - 1, math.floor(below + (above - below) * gain / (gain + loss)))
