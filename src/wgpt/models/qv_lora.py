"""LoRA factors of q and v as a flat list, [q0, v0, q1, v1, ...], for a model of any family.

Where q, k and v are rows of one matrix, the factors of q and v become those of that matrix.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..formats.family import Row
from ..formats.lora import Factors, LoraAdapter, Pairs
from .config import Config
from .targets import linear_rows

_LAYOUT = "two pairs (A, B) per layer, [q0, v0, q1, v1, ...]"


def qv_adapter(config: Config, pairs: Pairs, alpha: float) -> LoraAdapter:
    """The LoRA adapter of a flat list; a shorter list than the model has layers changes its first layers.

    >>> qv_adapter(model.config, [(a_q0, b_q0), (a_v0, b_v0)], alpha=16)                     # doctest: +SKIP
    """
    adapter = LoraAdapter.of_qv(pairs, alpha)
    flat = list(adapter.targets.values())
    if len(flat) > 2 * config.layers:
        raise PreconditionError(
            f"LoRA factors must be {_LAYOUT}: at most {2 * config.layers} for the {config.layers} layers of this "
            f"{config.family} model, not {len(flat)}"
        )
    rows = {(row.layer, row.part): row for row in linear_rows(config)}
    targets = dict[str, Factors]()
    for i, (q, v) in enumerate(zip(flat[::2], flat[1::2], strict=True)):
        parts = {part: rows.get((i, part)) for part in ("q", "v", "qkv")}
        if (joined := parts["qkv"]) is not None:
            targets[joined.name] = _joined(config.layer(i), i, joined, q, v)
            continue
        for part, factors in (("q", q), ("v", v)):
            if (row := parts[part]) is None:
                here = ", ".join(row.name for (layer, _), row in rows.items() if layer == i)
                raise PreconditionError(
                    f"layer {i} of this {config.family} model has no {part} of its own, so that a flat list of LoRA "
                    f"factors of q and v does not fit: pass a LoraAdapter, by name; this layer has {here}"
                )
            _check(i, part, factors, row.shape[0], row.shape[1])
            targets[row.name] = factors
    return replace(adapter, targets=targets)


def _check(i: int, part: str, factors: Factors, n: int, k: int) -> None:
    if (len(factors.b), factors.a.shape[1]) != (n, k):
        raise PreconditionError(
            f"layer {i}, {part}: the LoRA factors A {list(factors.a.shape)} and B {list(factors.b.shape)} make a "
            f"{[len(factors.b), factors.a.shape[1]]} matrix, but the model's is {[n, k]}"
        )


def _joined(c: Config, i: int, row: Row, q: Factors, v: Factors) -> Factors:
    """For q, k and v in one matrix: A's of q and v joined, and B with rows at those of q and v."""
    n, k = row.shape
    q_rows, v_rows = _rows_of_q_and_v(c, row)
    _check(i, "q", q, len(q_rows), k)
    _check(i, "v", v, len(v_rows), k)
    b = np.zeros((n, q.rank + v.rank), np.float32)
    b[q_rows, : q.rank] = q.b
    b[v_rows, q.rank :] = v.b * np.float32(q.rank / v.rank)  # a single scale, that of q: alpha / rank
    return Factors(np.concatenate([q.a, v.a]), b, q.scale)


def _rows_of_q_and_v(c: Config, row: Row) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows of q and v in the combined matrix: all q, all k, all v; or grouped by head."""
    turns = row.by_head or 1
    numbers = np.arange(row.shape[0]).reshape(turns, -1)
    return numbers[:, : c.q_rows // turns].ravel(), numbers[:, -(c.kv_rows // turns) :].ravel()
