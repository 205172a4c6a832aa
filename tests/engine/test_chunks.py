"""Assignment of tokens to rows: every token has one, and attention's assumptions hold."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.engine.batch import TILE, Chunk, chunks
from wgpt.kernels.attention.attending import PADDING


def check(chunk: Chunk) -> None:
    used = chunk.places[:, 1] != PADDING
    assert len(chunk.ids) == len(chunk.places) == chunk.m
    assert sorted(np.concatenate(list(chunk.where.values())).tolist()) == np.flatnonzero(used).tolist()
    if chunk.decoding:
        assert all(len(rows) == 1 for rows in chunk.where.values())
        return
    for at in range(0, chunk.m, chunk.tile):
        run = chunk.places[at : at + chunk.tile]
        assert len(set(run[run[:, 1] != PADDING, 0].tolist())) <= 1


@pytest.mark.parametrize("seed", range(40))
def test_every_token_has_its_place(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, (2, 9, 40, 200)[seed % 4], rng.integers(1, 12))
    sequences = {int(s): rng.integers(0, 100, n).tolist() for s, n in zip(rng.permutation(16), lengths, strict=False)}
    starts = {slot: int(rng.integers(0, 50)) for slot in sequences}
    most = int(rng.integers(1, 6)) * TILE
    placed: dict[int, list[tuple[int, int]]] = {slot: [] for slot in sequences}
    for chunk in chunks(sequences, starts, most):
        check(chunk)
        assert chunk.m <= most and chunk.length == 1 + max(p for p in chunk.places[:, 1].tolist() if p != PADDING)
        for slot, rows in chunk.where.items():
            assert (chunk.places[rows, 0] == slot).all()
            placed[slot] += zip(chunk.places[rows, 1].tolist(), chunk.ids[rows].tolist(), strict=True)
    for slot, tokens in sequences.items():
        assert placed[slot] == [(starts[slot] + i, token) for i, token in enumerate(tokens)]


def rows_of(*lengths: int) -> tuple[int, int, bool]:
    """(rows, rows of a tile, whether every row is a sequence's next)."""
    (chunk,) = chunks({i: [7] * n for i, n in enumerate(lengths)}, dict.fromkeys(range(len(lengths)), 0), 1 << 14)
    return chunk.m, chunk.tile, chunk.decoding


def test_padding_that_would_cost_is_left_out() -> None:
    assert rows_of(2048) == (2048, 16, False)
    assert rows_of(*[64] * 20) == (1280, 16, False)
    assert rows_of(*[8] * 20) == (160, 8, False)
    assert rows_of(*[5] * 20) == (112, 1, False)  # 100 tokens
    assert rows_of(500, 3) == (528, 16, False)  # a little padding, and attention reads keys for sixteen rows at once
    assert rows_of(3) == (4, 16, False)
    assert rows_of(19) == (24, 16, False)
    assert rows_of(1)[0::2] == (1, True)
    assert rows_of(*[1] * 20)[0::2] == (24, True)


def test_nothing_to_run() -> None:
    assert chunks({}, {}, 64) == [] and chunks({0: []}, {0: 3}, 64) == []


def test_a_last_token_of_its_own_decodes() -> None:
    first, last = chunks({0: [1] * 65}, {0: 0}, 64)
    assert (first.m, first.decoding, last.m, last.decoding) == (64, False, 1, True)
