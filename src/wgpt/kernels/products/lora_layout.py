"""How LoRA adapters lie in GPU memory, so that each row of a step can have its own: shared by lora_down and the kernels
that add the second product (_lora.wgsl).

A Linear with all its slices (q, k and v) is a group. Ranks are padded to quads (multiples of four) with zeros.
  pool    vec4s. A of a group: [quad of all slices][k], four ranks each. B: slice by slice [n][quad], scale included.
  table   for each adapter, an entry per group: where A begins, where B begins, quads of the slices (a byte each), and
          the vec4s of A and B, which are neighbours. The last entry is empty, so that every group has a next one.
          Adapter 0 has no quads: it stands for none. Entries are as far apart as bindings may begin.
  rows    the same for each row of x instead of each adapter (lora_rows). A kernel binds it from its group's entry on.
  low     a row per row of x: a header, then A x in quads. The header is what the second product needs, in floats: where
          B begins (modulo 4096, and divided by it), quads of slices 0 and 1 (+ 256 *), quads of slices 2 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..draw import draw

MOST_SLICES = 4
MOST_RANK = 4 * 255
F32 = NDArray[np.float32]
Ranks = tuple[int, ...]  # of each slice; 0: it is not adapted


def quads_of(rank: int) -> int:
    return -(-rank // 4)


def entry_of(a_at: int, b_at: int, ranks: Sequence[int], size: int = 0) -> NDArray[np.uint32]:
    """An entry of the table; `size` of A and B."""
    packed = sum(quads_of(rank) << (8 * i) for i, rank in enumerate(ranks))
    return np.array([a_at, b_at, packed, size], np.uint32)


def header_of(b_at: int, ranks: Sequence[int]) -> F32:
    q = [*map(quads_of, ranks), *[0] * (MOST_SLICES - len(ranks))]
    return np.array([b_at % 4096, b_at // 4096, q[0] + 256 * q[1], q[2] + 256 * q[3]], np.float32)


def quads_in(packed: int) -> list[int]:
    """Quads of the slices, from an entry of the table."""
    return [(int(packed) >> (8 * i)) & 255 for i in range(MOST_SLICES)]


def a_quads(a: NDArray[Any]) -> F32:
    """A[r, K] of one slice as [quad, K, 4]."""
    r, k = a.shape
    padded = np.zeros((4 * quads_of(r), k), np.float32)
    padded[:r] = a
    return np.ascontiguousarray(padded.reshape(-1, 4, k).transpose(0, 2, 1))


def b_quads(b: NDArray[Any], scale: float = 1.0) -> F32:
    """scale * B[N, r] of one slice as [N, quad, 4]."""
    n, r = b.shape
    padded = np.zeros((n, 4 * quads_of(r)), np.float32)
    padded[:, :r] = b * np.float32(scale)
    return padded.reshape(n, -1, 4)


# Random inputs and references --------------------------------------------------------------------------------


def random_low(
    rng: np.random.Generator, m: int, slices: Sequence[int], quads: int, ranks: Sequence[Ranks]
) -> tuple[F32, F32]:
    """`low` and `pool` of rows whose adapters have these ranks, in turn. What is never written is NaN."""
    low = np.full((m, 1 + quads, 4), np.nan, np.float32)
    starts, blocks, at = [], [draw(rng, (3, 4))], 3
    for each in ranks:
        starts.append(at)
        blocks += [b_quads(draw(rng, (n, r))).reshape(-1, 4) for n, r in zip(slices, each, strict=True) if r]
        at = sum(map(len, blocks))
    for i in range(m):
        row = ranks[i % len(ranks)]
        low[i, 0] = header_of(starts[i % len(ranks)], row)
        used = sum(map(quads_of, row))
        low[i, 1 : 1 + used] = draw(rng, (used, 4))
    return low, np.concatenate(blocks)


def random_pool(
    rng: np.random.Generator, slices: Sequence[int], k: int, ranks: Ranks, apart: int
) -> tuple[NDArray[np.uint32], F32]:
    """Two entries of one adapter, and its pool."""
    pairs = [(n, r) for n, r in zip(slices, ranks, strict=True) if r]
    a = [a_quads(draw(rng, (r, k))).reshape(-1, 4) for _, r in pairs]
    b = [b_quads(draw(rng, (n, r))).reshape(-1, 4) for n, r in pairs]
    pool = np.concatenate([draw(rng, (5, 4)), *a, *b])
    entries = rng.integers(0, 1 << 20, (apart + 1, 4)).astype(np.uint32)
    entries[apart], entries[0] = entry_of(3, 0, (), len(pool) - 3), entry_of(5, 5 + sum(map(len, a)), ranks)
    return entries, pool


def low_of(entry: NDArray[np.uint32], pool: F32, x: NDArray[Any]) -> NDArray[np.float64]:
    """A row of `low`: header and A x, by an entry of the table."""
    a_at, b_at, packed, _ = (int(word) for word in entry)
    quads, k = quads_in(packed), len(x)
    a = pool[a_at : a_at + sum(quads) * k].astype(np.float64).reshape(-1, k, 4)
    return np.concatenate([header_of(b_at, [4 * q for q in quads])[None], np.einsum("qkr,k->qr", a, x)])


def second_product(low: NDArray[Any], pool: F32, slices: Sequence[int]) -> NDArray[np.float64]:
    """B times `low`, [m, sum of slices]."""
    y = np.zeros((low.shape[0], sum(slices)))
    for row, out in zip(low.astype(np.float64), y, strict=True):
        b_at, t_at, n_at = int(row[0, 0] + 4096 * row[0, 1]), 1, 0
        packed = (int(row[0, 2]) & 255, int(row[0, 2]) >> 8, int(row[0, 3]) & 255, int(row[0, 3]) >> 8)
        for n, quads in zip(slices, packed, strict=False):
            b = pool[b_at : b_at + n * quads].astype(np.float64).reshape(n, 4 * quads)
            out[n_at : n_at + n] = b @ row[t_at : t_at + quads].reshape(-1)
            b_at, t_at, n_at = b_at + n * quads, t_at + quads, n_at + n
    return y
