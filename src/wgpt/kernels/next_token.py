"""What the kernels that choose the next token share: rows, realistic logits, and floats in order as integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernel import Problem

IDLE = 0xFFFFFFFF  # the position of a row that nobody uses: its token and its state stay as they are
LEAST_INDEX = 0xFFFFFFFF  # of an empty part: it loses against every index


def random_rows(rng: np.random.Generator, problem: Problem, slots: int | None = None) -> NDArray[np.uint32]:
    """[rows, 2] of (slot, position), each slot once; every `idle`-th row is IDLE."""
    count = int(problem["rows"])
    rows = np.empty((count, 2), np.uint32)
    rows[:, 0] = rng.permutation(max(slots or count, count))[:count]
    rows[:, 1] = rng.integers(0, 4096, count)
    if "idle" in problem:
        rows[:: problem["idle"], 1] = IDLE
    return rows


def advanced(rows: NDArray[np.uint32]) -> NDArray[np.float64]:
    """The rows after a step: every position that is in use goes on by one."""
    after = rows.astype(np.float64)
    after[:, 1] += rows[:, 1] != IDLE
    return after


def kept_where_idle(
    rows: NDArray[np.uint32], fresh: NDArray[np.generic], old: NDArray[np.generic]
) -> NDArray[np.float64]:
    return np.where(rows[:, 1] != IDLE, fresh, old).astype(np.float64)


def order_key(x: NDArray[np.float32]) -> NDArray[np.uint32]:
    """u32 in the order of the floats: -0 equals 0, a NaN is 0 and below everything."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    bits = np.where(bits == 0x80000000, np.uint32(0), bits)
    key = np.where(bits >> 31 == 1, ~bits, bits | np.uint32(0x80000000))
    return np.where((bits & np.uint32(0x7FFFFFFF)) > 0x7F800000, np.uint32(0), key)


def language_logits(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    """As a language model makes them: a broad bulk, and a few tokens that stand out by several nats."""
    bulk = rng.normal(0.0, 2.5, shape)
    likely = rng.integers(0, shape[1], (shape[0], min(40, shape[1])))
    rise = 12.0 - 2.5 * np.log1p(np.arange(likely.shape[1])) + rng.normal(0.0, 0.7, likely.shape)
    np.put_along_axis(bulk, likely, np.take_along_axis(bulk, likely, 1) * 0.2 + rise, axis=1)
    return bulk.astype(np.float32)
